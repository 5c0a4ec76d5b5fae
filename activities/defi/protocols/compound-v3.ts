import { parseAbi } from 'viem'
import { divide, formatDecimal, fromRaw, sum } from '../../../db/values/decimal.ts'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import { COMPOUND_V3_COMETS } from '../deployments/lending.ts'
import { defineProtocol, nonZero } from '../position.ts'
import type { Position } from '../position.ts'
import { readParts } from '../read-parts.ts'

const COMET_ABI = parseAbi([
  'struct AssetInfo { uint8 offset; address asset; address priceFeed; uint64 scale; uint64 borrowCollateralFactor; uint64 liquidateCollateralFactor; uint64 liquidationFactor; uint128 supplyCap; }',
  'function baseToken() view returns (address)',
  'function baseTokenPriceFeed() view returns (address)',
  'function baseScale() view returns (uint256)',
  'function numAssets() view returns (uint8)',
  'function balanceOf(address account) view returns (uint256)',
  'function borrowBalanceOf(address account) view returns (uint256)',
  'function userBasic(address account) view returns (int104 principal, uint64 baseTrackingIndex, uint64 baseTrackingAccrued, uint16 assetsIn, uint8 reserved)',
  'function getAssetInfo(uint8 i) view returns (AssetInfo)',
  'function userCollateral(address account, address asset) view returns (uint128 balance, uint128 reserved)',
  'function getPrice(address priceFeed) view returns (uint256)',
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256 utilization) view returns (uint64)',
  'function getBorrowRate(uint256 utilization) view returns (uint64)',
])

const YEAR_SECONDS = 31_536_000n

interface Collateral {
  asset: string
  priceFeed: `0x${string}`
  scale: bigint
  /** share of the value that counts against liquidation, 18 decimals */
  liquidateCollateralFactor: bigint
  balance: bigint
}

/** Base asset with interest up to the block, and collateral. One position per market. */
export const compoundV3 = defineProtocol({
  id: 'compound-v3',
  name: 'Compound V3',
  family: 'Compound v3',
  deployments: COMPOUND_V3_COMETS,
  read({ reader, deployment, account }) {
    const markets = Object.entries(deployment).map(([name, id]) => ({ name, id }))
    return readParts(markets, (market) => readMarket({ reader, market, account: account as `0x${string}` }))
  },
})

async function readMarket(input: {
  reader: BlockReader
  market: { name: string; id: string }
  account: `0x${string}`
}): Promise<Position | null> {
  const { reader, market, account } = input
  const comet = contractAt(COMET_ABI, market.id)
  const [baseToken, baseScale, supplied, borrowed, userBasic] = await reader.read([
    comet('baseToken', []),
    comet('baseScale', []),
    comet('balanceOf', [account]),
    comet('borrowBalanceOf', [account]),
    comet('userBasic', [account]),
  ])
  // `assetsIn` flags the collateral assets, `reserved` those from the 17th on.
  const [, , , assetsIn, reserved] = userBasic
  const collateral =
    assetsIn === 0 && reserved === 0 ? [] : await readCollateral({ reader, comet: market.id, account })
  const base = baseToken.toLowerCase()
  const [supplyApr, borrowApr] = supplied + borrowed === 0n ? [] : await readRates(reader, market.id)
  const assets = nonZero([
    { role: 'supplied', token: base, raw: supplied, aprPercent: supplyApr },
    ...collateral.map(({ asset, balance }) => ({ role: 'supplied' as const, token: asset, raw: balance })),
    { role: 'borrowed', token: base, raw: borrowed, aprPercent: borrowApr },
  ])
  if (assets.length === 0) return null
  const debt = { raw: borrowed, scale: baseScale }
  return {
    id: market.id,
    name: `Lending, ${market.name} market`,
    poolAddress: market.id,
    healthRate: borrowed === 0n ? null : await readHealth({ reader, comet: market.id, collateral, debt }),
    unlockAt: null,
    endAt: null,
    assets,
  }
}

/** Interest in a year in percent, of supplies and of debts. */
async function readRates(reader: BlockReader, id: string): Promise<(string | null)[]> {
  const comet = contractAt(COMET_ABI, id)
  const [utilization] = await reader.tryRead([comet('getUtilization', [])])
  if (utilization === null) return []
  const rates = await reader.tryRead([
    comet('getSupplyRate', [utilization]),
    comet('getBorrowRate', [utilization]),
  ])
  // Rates are of a second, with 18 decimals.
  return rates.map((rate) => (rate === null ? null : formatDecimal(fromRaw(rate * YEAR_SECONDS, 16))))
}

async function readCollateral(input: {
  reader: BlockReader
  comet: string
  account: `0x${string}`
}): Promise<Collateral[]> {
  const { reader, account } = input
  const comet = contractAt(COMET_ABI, input.comet)
  const [count] = await reader.read([comet('numAssets', [])])
  const infos = await reader.read(Array.from({ length: count }, (_, i) => comet('getAssetInfo', [i])))
  const held = await reader.read(infos.map(({ asset }) => comet('userCollateral', [account, asset])))
  return infos
    .map((info, i) => ({ ...info, asset: info.asset.toLowerCase(), balance: held[i]![0] }))
    .filter(({ balance }) => balance > 0n)
}

/**
 * Collateral value that counts against liquidation divided by the debt, both at the prices of the protocol's
 * own feeds; null: a feed does not answer
 */
async function readHealth(input: {
  reader: BlockReader
  comet: string
  collateral: readonly Collateral[]
  debt: { raw: bigint; scale: bigint }
}): Promise<string | null> {
  const { reader, collateral, debt } = input
  const comet = contractAt(COMET_ABI, input.comet)
  const [baseFeed] = await reader.read([comet('baseTokenPriceFeed', [])])
  const prices = await reader.tryRead(
    [baseFeed, ...collateral.map(({ priceFeed }) => priceFeed)].map((feed) => comet('getPrice', [feed])),
  )
  const known = prices.filter((price) => price !== null)
  const [basePrice, ...collateralPrices] = known
  if (known.length < prices.length || !basePrice) return null
  const covered = sum(
    collateral.map(({ balance, scale, liquidateCollateralFactor }, i) =>
      fromRaw(balance * collateralPrices[i]! * liquidateCollateralFactor, 18 + decimalsOf(scale)),
    ),
  )
  const owed = fromRaw(debt.raw * basePrice, decimalsOf(debt.scale))
  return formatDecimal(divide(covered, owed, 18))
}

/** A scale is 10 to the power of the token's decimals. */
const decimalsOf = (scale: bigint): number => scale.toString().length - 1
