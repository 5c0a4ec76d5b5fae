import { z } from 'zod'
import { readDefiAssets, readDefiStates } from '../../db/defi/read-positions.ts'
import type { DefiAssetRow, DefiState } from '../../db/defi/read-positions.ts'
import type { SyncedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import {
  type Decimal,
  decimal,
  divide,
  formatDecimal,
  fromRaw,
  multiply,
  negate,
  sign,
  sum,
  toNumber,
  ZERO,
} from '../../db/values/decimal.ts'
import { oldest, pendingMeta, ratio, tripleSchema } from '../shapes.ts'
import { costFields, costShape, type Position, positionCosts } from './position-cost.ts'

const assetSchema = z.object({
  address: z.string().optional().describe('Contract address; absent for the native coin'),
  title: z.enum(['Supplied', 'Borrowed', 'Staked', 'Locked', 'Unclaimed', 'Withdrawing', 'Claimable']),
  amount: z
    .number()
    .describe('In coins, negative when owed; in base units when the contract gives no decimals'),
  symbol: z.string().describe('Empty when unknown'),
  apr: z
    .number()
    .optional()
    .describe(
      'Interest in a year in percent, without interest on it, at the rate of the last read; of a debt what it costs. Absent when the protocol states no rate',
    ),
  price: tripleSchema
    .optional()
    .describe('Value of the amount, negative when owed; absent when a price is unknown or the token is spam'),
  unitPrice: tripleSchema.optional().describe('Price of one coin; absent when unknown'),
  coinId: z.string(),
  logo: z.string().optional(),
  danger: z.boolean().describe('True when the token is marked as spam'),
})

const investmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  value: tripleSchema.optional().describe('Value less debt; absent when a price is unknown'),
  ...costShape,
  symbols: z.string(),
  assets: z.array(assetSchema),
  poolAddress: z.string(),
  poolProjectId: z.string(),
  healthRate: z.number().optional().describe('The position is liquidated below 1; absent without debt'),
  healthRateLink: z.string().optional(),
  debtRatio: z.number().optional().describe('Debt divided by supplied value; absent without debt'),
  debtRatioLink: z.string().optional(),
  unlockAt: z.iso
    .datetime()
    .optional()
    .describe('When withdrawal becomes possible; absent when it is possible or the time is unknown'),
  endAt: z.iso.datetime().optional().describe('End of the time for withdrawal, once unlocked'),
  isProxy: z.boolean().describe('True when a contract of the wallet, such as a DSProxy, holds the position'),
})

const protocolSchema = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string(),
  totalValue: tripleSchema,
  blockchain: z.object({ name: z.string(), icon: z.string() }),
  chain: z.string().describe('Value of the parameter `blockchain`'),
  walletAddress: z.string(),
  url: z.string(),
  investments: z.array(investmentSchema),
})

export const defiSchema = z.object({
  totalAssets: tripleSchema.describe('Sum of the investments with a known value'),
  protocols: z.array(protocolSchema),
  meta: pendingMeta,
})
export type Defi = z.infer<typeof defiSchema>

type Asset = z.infer<typeof assetSchema>
type ToTriple = (usd: Decimal) => z.infer<typeof tripleSchema>
/** What a position cost, and what it has gained at its value; nothing if its cost is unknown. */
type CostOf = (position: Position, valueUsd: Decimal) => Partial<ReturnType<typeof costFields>>

/** Positions as they were read, with current prices. */
interface FoundDefi {
  rows: DefiAssetRow[]
  /** prices of bitcoin and ethereum in USD; 0: unknown */
  bitcoinUsd: string
  ethereumUsd: string
  known: DefiState[]
  /** wallets whose positions were not read yet */
  unread: SyncedWallet[]
  /** time of the oldest price in them */
  priceAsOf: Date | null
}

export async function findDefi(db: ReadonlyDb, wallets: readonly SyncedWallet[]): Promise<FoundDefi> {
  const states = await readDefiStates(db, wallets)
  const known = states.filter(({ asOf, deployed }) => asOf !== null || !deployed)
  const [rows, bitcoin, ethereum] = await Promise.all([
    readDefiAssets(db, known),
    readCurrentPrice(db, 'bitcoin'),
    readCurrentPrice(db, 'ethereum'),
  ])
  return {
    rows,
    bitcoinUsd: bitcoin?.priceUsd ?? '0',
    ethereumUsd: ethereum?.priceUsd ?? '0',
    known,
    unread: wallets.filter(
      (wallet) =>
        !known.some((state) => state.walletId === wallet.walletId && state.networkId === wallet.networkId),
    ),
    priceAsOf: oldest(rows.map(({ pricedAt }) => pricedAt)),
  }
}

/** The positions in response form. */
export async function toDefi(db: ReadonlyDb, found: FoundDefi): Promise<Defi> {
  const { rows, bitcoinUsd, ethereumUsd } = found
  const positions = positionsIn(rows)
  const costs = await positionCosts(db, positions)
  const coinsUsd = { usd: decimal('1'), btc: decimal(bitcoinUsd), eth: decimal(ethereumUsd) }
  const costOf: CostOf = (position, valueUsd) => {
    const cost = costs.get(position)
    return cost ? costFields({ valueUsd, cost, coinsUsd }) : {}
  }
  const triple = tripleAt(found)
  const protocols = Map.groupBy(positions, ([row]) => `${row!.protocolId}:${row!.networkId}:${row!.address}`)
  return {
    totalAssets: triple(sumOf(positions)),
    protocols: [...protocols].map(([id, of]) => toProtocol(id, { positions: of, triple, costOf })),
  }
}

/** The value of all positions. */
export const totalAssets = (found: FoundDefi): Defi['totalAssets'] =>
  tripleAt(found)(sumOf(positionsIn(found.rows)))

const tripleAt =
  ({ bitcoinUsd, ethereumUsd }: FoundDefi): ToTriple =>
  (usd) => ({
    USD: toNumber(usd),
    BTC: ratio(formatDecimal(usd), bitcoinUsd),
    ETH: ratio(formatDecimal(usd), ethereumUsd),
  })

const positionsIn = (rows: readonly DefiAssetRow[]): Position[] => [
  ...Map.groupBy(rows, (row) =>
    [row.walletId, row.networkId, row.protocolId, row.positionId].join(' '),
  ).values(),
]

/** A position with an unknown price counts in no sum, since a partial value could be too high or too low. */
const sumOf = (positions: readonly Position[]): Decimal =>
  sum(positions.flatMap((position) => valueOf(position) ?? []))

/** Value less debt in USD; null: a price is unknown */
function valueOf(position: Position): Decimal | null {
  const values = position.map(valueUsdOf)
  const known = values.filter((value) => value !== null)
  return known.length === values.length ? sum(known) : null
}

function toProtocol(
  id: string,
  { positions, ...given }: { positions: Position[]; triple: ToTriple; costOf: CostOf },
): z.infer<typeof protocolSchema> {
  const row = positions[0]![0]!
  return {
    id,
    name: row.protocolName,
    logo: row.protocolLogo,
    totalValue: given.triple(sumOf(positions)),
    blockchain: { name: row.networkName, icon: row.networkIcon },
    chain: row.blockchain,
    walletAddress: row.address,
    url: row.protocolUrl,
    investments: positions.map((position) => toInvestment(position, given)),
  }
}

function toInvestment(
  position: Position,
  { triple, costOf }: { triple: ToTriple; costOf: CostOf },
): z.infer<typeof investmentSchema> {
  const row = position[0]!
  const valueUsd = valueOf(position)
  const debtRatio = valueUsd && debtRatioOf(position)
  return {
    id: row.positionId,
    name: row.positionName,
    ...(valueUsd && { value: triple(valueUsd), ...costOf(position, valueUsd) }),
    symbols: [...new Set(position.map(({ symbol }) => symbol ?? '?'))].join('/'),
    assets: position.map((asset) => toAsset(asset, triple)),
    poolAddress: row.poolAddress,
    poolProjectId: row.protocolId,
    ...(row.healthRate !== null && {
      healthRate: Number(row.healthRate),
      ...(row.healthUrl !== null && { healthRateLink: row.healthUrl }),
    }),
    ...(debtRatio && {
      debtRatio: toNumber(debtRatio),
      ...(row.healthUrl !== null && { debtRatioLink: row.healthUrl }),
    }),
    ...(row.unlockAt && { unlockAt: row.unlockAt.toISOString() }),
    ...(row.endAt && { endAt: row.endAt.toISOString() }),
    isProxy: row.isProxy,
  }
}

const TITLES: Record<string, Asset['title']> = {
  supplied: 'Supplied',
  borrowed: 'Borrowed',
  staked: 'Staked',
  locked: 'Locked',
  unclaimed: 'Unclaimed',
  withdrawing: 'Withdrawing',
  claimable: 'Claimable',
}

function toAsset(row: DefiAssetRow, triple: ToTriple): Asset {
  const valueUsd = valueUsdOf(row)
  return {
    ...(row.token !== null && { address: row.token }),
    title: TITLES[row.role]!,
    amount: toNumber(amountOf(row)),
    symbol: row.symbol ?? '',
    ...(row.aprPercent !== null && { apr: Number(row.aprPercent) }),
    ...(valueUsd && { price: triple(valueUsd) }),
    ...(row.priceUsd !== null && { unitPrice: triple(decimal(row.priceUsd)) }),
    coinId: row.coinId ?? '',
    ...(row.icon !== null && { logo: row.icon }),
    danger: row.isSpam,
  }
}

/** Debts are negative. */
function amountOf({ role, raw, decimals }: DefiAssetRow): Decimal {
  const amount = fromRaw(BigInt(raw), decimals ?? 0)
  return role === 'borrowed' ? negate(amount) : amount
}

function valueUsdOf(row: DefiAssetRow): Decimal | null {
  // Base units of a token without decimals have no price, and prices of spam are not real.
  if (row.priceUsd === null || row.decimals === null || row.isSpam) return null
  return multiply(amountOf(row), decimal(row.priceUsd))
}

/** null: no debt, or nothing supplied */
function debtRatioOf(position: Position): Decimal | null {
  const valuesUsd = position.map((asset) => valueUsdOf(asset) ?? ZERO)
  const owed = sum(valuesUsd.filter((value) => sign(value) < 0))
  const supplied = sum(valuesUsd.filter((value) => sign(value) > 0))
  return sign(owed) === 0 || sign(supplied) === 0 ? null : divide(negate(owed), supplied)
}
