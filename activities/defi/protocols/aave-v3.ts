import { maxUint256, parseAbi } from 'viem'
import { formatDecimal, fromRaw } from '../../../db/values/decimal.ts'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import { AAVE_V3_MARKETS } from '../deployments/lending.ts'
import { defineProtocol, nonZero } from '../position.ts'
import type { Position } from '../position.ts'
import { readParts } from '../read-parts.ts'

const PROVIDER_ABI = parseAbi([
  'function getPool() view returns (address)',
  'function getPoolDataProvider() view returns (address)',
])
const POOL_ABI = parseAbi([
  'function getReservesList() view returns (address[])',
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
])
// Called per reserve, since its shape is the same in all 3.x; that of getUserReservesData changed.
const DATA_ABI = parseAbi([
  'function getUserReserveData(address asset, address user) view returns (uint256 currentATokenBalance, uint256 currentStableDebt, uint256 currentVariableDebt, uint256 principalStableDebt, uint256 scaledVariableDebt, uint256 stableBorrowRate, uint256 liquidityRate, uint40 stableRateLastUpdated, bool usageAsCollateralEnabled)',
])

/**
 * Supplies and debts with interest up to the block. One position per market, since a market has one health
 * rate.
 */
export const aaveV3 = defineProtocol({
  id: 'aave-v3',
  name: 'Aave V3',
  family: 'Aave v3',
  deployments: AAVE_V3_MARKETS,
  read({ reader, deployment, account }) {
    const markets = Object.entries(deployment).map(([name, id]) => ({ name, id }))
    return readParts(markets, (market) => readMarket({ reader, market, account }))
  },
})

async function readMarket(input: {
  reader: BlockReader
  market: { name: string; id: string }
  account: string
}): Promise<Position | null> {
  const { reader, market } = input
  const account = input.account as `0x${string}`
  const provider = contractAt(PROVIDER_ABI, market.id)
  const [poolAddress, dataAddress] = await reader.read([
    provider('getPool', []),
    provider('getPoolDataProvider', []),
  ])
  const pool = contractAt(POOL_ABI, poolAddress)
  const data = contractAt(DATA_ABI, dataAddress)
  const [reserves] = await reader.read([pool('getReservesList', [])])
  const held = await reader.read(reserves.map((asset) => data('getUserReserveData', [asset, account])))
  const assets = reserves.flatMap((asset, i) => {
    const [supplied, stableDebt, variableDebt] = held[i]!
    const token = asset.toLowerCase()
    return nonZero([
      { role: 'supplied', token, raw: supplied },
      { role: 'borrowed', token, raw: stableDebt + variableDebt },
    ])
  })
  if (assets.length === 0) return null
  const [accountData] = await reader.tryRead([pool('getUserAccountData', [account])])
  return {
    id: market.id,
    name: `Lending, ${market.name} market`,
    poolAddress: poolAddress.toLowerCase(),
    healthRate: accountData && healthRate(accountData[5]),
    unlockAt: null,
    endAt: null,
    assets,
  }
}

/** null: no debt, which Aave gives as the largest number */
function healthRate(healthFactor: bigint): string | null {
  return healthFactor === maxUint256 ? null : formatDecimal(fromRaw(healthFactor, 18))
}
