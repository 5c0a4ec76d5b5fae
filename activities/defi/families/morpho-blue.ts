import { type Hex, parseAbi, zeroAddress } from 'viem'
import { divide, formatDecimal, fromRaw } from '../../../db/values/decimal.ts'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { assetsDown, assetsUp, grown } from '../morpho-interest.ts'
import { type Position, type Protocol, defineProtocol, nonZero } from '../position.ts'
import { readParts } from '../read-parts.ts'

export interface MorphoDeployment {
  morpho: string
  /** vaults (MetaMorpho) whose markets are read: a market has no token, and Morpho lists none */
  vaults: readonly string[]
}

const VAULT_ABI = parseAbi([
  'function withdrawQueueLength() view returns (uint256)',
  'function withdrawQueue(uint256 index) view returns (bytes32)',
])
const MORPHO_ABI = parseAbi([
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function market(bytes32 id) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
  'function idToMarketParams(bytes32 id) view returns (address loanToken, address collateralToken, address oracle, address irm, uint256 lltv)',
])
const ORACLE_ABI = parseAbi(['function price() view returns (uint256)'])
const RATE_ABI = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'struct Market { uint128 totalSupplyAssets; uint128 totalSupplyShares; uint128 totalBorrowAssets; uint128 totalBorrowShares; uint128 lastUpdate; uint128 fee; }',
  'function borrowRateView(MarketParams params, Market market) view returns (uint256)',
])
const YEAR_SECONDS = 31_536_000n
const WAD = 10n ** 18n

/** Supplies, collateral and debts with interest up to the block. One position per market, which has one health. */
export function morphoBlue(spec: {
  id: string
  name: string
  deployments: ByNetwork<MorphoDeployment>
}): Protocol {
  return defineProtocol({
    ...spec,
    family: 'Morpho Blue',
    async read({ reader, deployment, account }) {
      const ids = await marketsOf(reader, deployment.vaults)
      const user = account as Hex
      const morpho = contractAt(MORPHO_ABI, deployment.morpho)
      const held = await reader.read(ids.map((id) => morpho('position', [id, user])))
      const used = ids.flatMap((id, i) => {
        const [supplyShares, borrowShares, collateral] = held[i]!
        return supplyShares + borrowShares + collateral > 0n
          ? { id, supplyShares, borrowShares, collateral }
          : []
      })
      return await readParts(used, (shares) => readMarket({ reader, morpho: deployment.morpho, shares }))
    },
  })
}

/** The ids of the markets of vaults. */
async function marketsOf(reader: BlockReader, vaults: readonly string[]): Promise<Hex[]> {
  const lengths = await reader.read(
    vaults.map((vault) => contractAt(VAULT_ABI, vault)('withdrawQueueLength', [])),
  )
  const places = vaults.flatMap((vault, i) =>
    Array.from({ length: Number(lengths[i]!) }, (_, at) =>
      contractAt(VAULT_ABI, vault)('withdrawQueue', [BigInt(at)]),
    ),
  )
  return [...new Set(await reader.read(places))]
}

interface Shares {
  id: Hex
  supplyShares: bigint
  borrowShares: bigint
  collateral: bigint
}

async function readMarket(input: {
  reader: BlockReader
  morpho: string
  shares: Shares
}): Promise<Position | null> {
  const { reader, shares } = input
  const { id } = shares
  const morpho = contractAt(MORPHO_ABI, input.morpho)
  const [market, params] = await reader.read([morpho('market', [id]), morpho('idToMarketParams', [id])])
  const [totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, lastUpdate, fee] = market
  const [loanToken, collateralToken, oracle, irm, lltv] = params
  const totals = { totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, fee }
  const asked = [
    { loanToken, collateralToken, oracle, irm, lltv },
    { ...totals, lastUpdate },
  ] as const
  // A market without a model bears no interest.
  const [rate] =
    irm === zeroAddress ? [0n] : await reader.read([contractAt(RATE_ABI, irm)('borrowRateView', asked)])
  const elapsed = BigInt(reader.block.at.getTime() / 1_000) - lastUpdate
  const now = grown(totals, { rate: rate!, elapsed })
  const supplied = assetsDown(shares.supplyShares, now.totalSupplyAssets, now.totalSupplyShares)
  const borrowed = assetsUp(shares.borrowShares, now.totalBorrowAssets, now.totalBorrowShares)
  const borrowApr = rate! * YEAR_SECONDS
  const utilization =
    now.totalSupplyAssets === 0n ? 0n : (now.totalBorrowAssets * WAD) / now.totalSupplyAssets
  const supplyApr = (((borrowApr * utilization) / WAD) * (WAD - fee)) / WAD
  const loan = loanToken.toLowerCase()
  const assets = nonZero([
    { role: 'supplied', token: collateralToken.toLowerCase(), raw: shares.collateral },
    { role: 'supplied', token: loan, raw: supplied, aprPercent: percent(supplyApr) },
    { role: 'borrowed', token: loan, raw: borrowed, aprPercent: percent(borrowApr) },
  ])
  if (assets.length === 0) return null
  const health = borrowed === 0n ? null : await readHealth({ reader, oracle, lltv, borrowed, shares })
  const times = { healthRate: health, unlockAt: null, endAt: null }
  return { id, name: 'Lending', poolAddress: input.morpho, ...times, assets }
}

/** What the collateral may owe divided by the debt, at the price of the market's oracle; null: it does not answer */
async function readHealth(input: {
  reader: BlockReader
  oracle: string
  lltv: bigint
  borrowed: bigint
  shares: Shares
}): Promise<string | null> {
  const { reader, oracle, lltv, borrowed, shares } = input
  const [price] = await reader.tryRead([contractAt(ORACLE_ABI, oracle)('price', [])])
  if (price === null) return null
  // Prices have 36 decimals.
  const worth = (shares.collateral * price) / 10n ** 36n
  const mayOwe = (worth * lltv) / WAD
  return formatDecimal(divide(fromRaw(mayOwe, 0), fromRaw(borrowed, 0), 18))
}

/** Rates have 18 decimals. */
const percent = (rate: bigint): string => formatDecimal(fromRaw(rate, 16))
