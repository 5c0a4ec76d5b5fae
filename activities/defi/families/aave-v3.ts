import { maxUint256, parseAbi } from 'viem'
import { formatDecimal, fromRaw } from '../../../db/values/decimal.ts'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { type Position, type Protocol, defineProtocol, nonZero } from '../position.ts'
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
  'function getReserveData(address asset) view returns (uint256 unbacked, uint256 accruedToTreasury, uint256 totalAToken, uint256 totalStableDebt, uint256 totalVariableDebt, uint256 liquidityRate, uint256 variableBorrowRate, uint256 stableBorrowRate, uint256 averageStableBorrowRate, uint256 liquidityIndex, uint256 variableBorrowIndex, uint40 lastUpdateTimestamp)',
])

/**
 * Supplies and debts with interest up to the block. One position per market, since a market has one health
 * rate. `markets`: the PoolAddressesProvider of each market by its name.
 */
export function aaveV3(spec: {
  id: string
  name: string
  markets: ByNetwork<Record<string, string>>
}): Protocol {
  const { markets: deployments, ...names } = spec
  return defineProtocol({
    ...names,
    family: 'Aave v3',
    deployments,
    read({ reader, deployment, account }) {
      const markets = Object.entries(deployment).map(([name, id]) => ({ name, id }))
      return readParts(markets, (market) => readMarket({ reader, market, account }))
    },
  })
}

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
  const used = reserves.flatMap((asset, i) => {
    const [supplied, stableDebt, variableDebt] = held[i]!
    return supplied + stableDebt + variableDebt > 0n ? { asset, supplied, stableDebt, variableDebt } : []
  })
  if (used.length === 0) return null
  const [[accountData], rates] = await Promise.all([
    reader.tryRead([pool('getUserAccountData', [account])]),
    reader.tryRead(used.map(({ asset }) => data('getReserveData', [asset]))),
  ])
  const assets = used.flatMap(({ asset, supplied, stableDebt, variableDebt }, i) => {
    const token = asset.toLowerCase()
    const [, , , , , supplyRate, variableRate] = rates[i] ?? []
    // A debt at a fixed rate has a rate of its own.
    const borrowRate = stableDebt === 0n ? variableRate : undefined
    return nonZero([
      { role: 'supplied', token, raw: supplied, aprPercent: percent(supplyRate) },
      { role: 'borrowed', token, raw: stableDebt + variableDebt, aprPercent: percent(borrowRate) },
    ])
  })
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

/** Rates have 27 decimals. */
const percent = (ray: bigint | undefined): string | null =>
  ray === undefined ? null : formatDecimal(fromRaw(ray, 25))
