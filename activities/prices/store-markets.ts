import { lockCoins } from '../../db/prices/lock-coins.ts'
import { readMappings, readQuotedPrices, readStoredCoins } from '../../db/prices/read-for-ingest.ts'
import {
  type CoinRow,
  markQuotesStale,
  storeCoins,
  storeMappings,
  storeQuotes,
} from '../../db/prices/write-coins.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact, type Transaction } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { holdBackReason } from './hold-back.ts'
import { knownIdOf } from './known-coins.ts'
import type { MarketRow } from './market-data.ts'
import { identifyCoins, matchCoins } from './match-coins.ts'
import { quoteRow } from './quote-row.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'

export interface QuotesResult {
  source: string
  newCoins: number
  /** new or changed quotes */
  changed: number
  held: number
  quarantined: number
}

/** Market data as a source sent it. */
export interface Markets {
  rows: MarketRow[]
  quarantined: QuarantinedRow[]
}

/** Coins that are followed where no source with a list of its own says which, by market value. */
export const MOST_FOLLOWED = 500

/** Stores CoinGecko's rows, except those that CoinPaprika contradicts. */
export async function storeFirst(
  deps: ActivityDeps,
  { first, second }: { first: Markets; second: Markets | null },
): Promise<QuotesResult> {
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const { db } = transaction
    const known = await readMappings(db, COINGECKO)
    const unknown = first.rows.filter(({ upstreamId }) => !known.has(upstreamId))
    const stored = unknown.length > 0 ? await readStoredCoins(db, COINGECKO) : []
    const { same, fresh } = identifyCoins(unknown, { stored, keepsIds: true })
    const idOfRow = ({ upstreamId }: MarketRow) =>
      known.get(upstreamId) ?? same.get(upstreamId) ?? fresh.get(upstreamId)!
    const coins = first.rows.map((row) => ({ ...row, coinId: idOfRow(row) }))
    const added = await storeCoins(transaction, { coins, source: COINGECKO, fetchedAt })

    const mapped = await readMappings(db, COINPAPRIKA)
    const taken = coinsOf(second, mapped)
    const pairs = matchCoins(coins, second?.rows ?? [])
      .map(([{ coinId }, { upstreamId }]) => ({ coinId, upstreamId }))
      .filter(({ coinId }) => !taken.has(coinId))
    await storeMappings(transaction, { source: COINPAPRIKA, mappings: pairs })
    for (const { upstreamId, coinId } of pairs) mapped.set(upstreamId, coinId)
    const checks = new Map(second?.rows.map((row) => [mapped.get(row.upstreamId), seen(row)]) ?? [])

    if (second)
      await quarantineRows(db, {
        source: COINPAPRIKA,
        area: 'prices',
        quarantined: second.quarantined,
        fetchedAt,
      })
    const answer = { source: COINGECKO, coins, quarantined: first.quarantined, checks, fetchedAt }
    const idOf = (upstreamId: string) => known.get(upstreamId) ?? same.get(upstreamId) ?? upstreamId
    return { ...(await storeJudged(deps, transaction, { ...answer, idOf })), newCoins: added.length }
  })
}

/**
 * Stores CoinPaprika's rows of known coins. Where no CoinGecko list says which coins there are, its largest
 * ones become coins.
 */
export async function storeSecond(
  deps: ActivityDeps,
  { second, addsCoins }: { second: Markets; addsCoins: boolean },
): Promise<QuotesResult> {
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const mapped = await readMappings(transaction.db, COINPAPRIKA)
    const added = addsCoins ? await addCoins(transaction, { second, mapped, fetchedAt }) : 0
    const coins = second.rows.flatMap((row) => {
      const coinId = mapped.get(row.upstreamId)
      return coinId === undefined ? [] : { ...row, coinId }
    })
    const answer = {
      source: COINPAPRIKA,
      coins,
      quarantined: second.quarantined,
      checks: new Map(),
      fetchedAt,
    }
    const idOf = (upstreamId: string) => mapped.get(upstreamId)
    return { ...(await storeJudged(deps, transaction, { ...answer, idOf })), newCoins: added }
  })
}

/** Coins that an answer has under an id that is known. An id may be given up for another one. */
const coinsOf = (markets: Markets | null, mapped: ReadonlyMap<string, string>): Set<string> =>
  new Set(markets?.rows.flatMap(({ upstreamId }) => mapped.get(upstreamId) ?? []))

/** Adds to `mapped` the followed coins that are not in it, and stores new ones. Returns how many are new. */
async function addCoins(
  transaction: Transaction,
  { second, mapped, fetchedAt }: { second: Markets; mapped: Map<string, string>; fetchedAt: Date },
): Promise<number> {
  const followed = second.rows
    .filter(({ rank }) => rank !== null && rank > 0)
    .toSorted((a, b) => a.rank! - b.rank!)
    .slice(0, MOST_FOLLOWED)
  const unknown = followed.filter(({ upstreamId }) => !mapped.has(upstreamId))
  if (unknown.length === 0) return 0
  const taken = coinsOf(second, mapped)
  const stored = (await readStoredCoins(transaction.db, COINPAPRIKA)).map((coin) => ({
    ...coin,
    isMapped: taken.has(coin.coinId),
  }))
  const { same, fresh } = identifyCoins(unknown, { stored, keepsIds: false })
  const mappings = [...same].map(([upstreamId, coinId]) => ({ upstreamId, coinId }))
  await storeMappings(transaction, { source: COINPAPRIKA, mappings })
  const coins = unknown.flatMap((row): CoinRow[] => {
    const coinId = fresh.get(row.upstreamId)
    return coinId === undefined ? [] : [{ ...row, coinId }]
  })
  await storeCoins(transaction, { coins, source: COINPAPRIKA, fetchedAt })
  // Under CoinGecko's ids DefiLlama has the past of coins, also where CoinGecko itself is not asked.
  const aliases = unknown.flatMap((row) => knownIdOf(row) ?? [])
  const ids = new Set([...same.values(), ...fresh.values()])
  await storeMappings(transaction, {
    source: COINGECKO,
    mappings: aliases.filter((id) => ids.has(id)).map((id) => ({ upstreamId: id, coinId: id })),
  })
  for (const [upstreamId, coinId] of [...same, ...fresh]) mapped.set(upstreamId, coinId)
  return coins.length
}

/** What CoinPaprika's free plan does not give. */
const LACKING = [
  'fully_diluted_valuation_usd',
  'available_supply',
  'all_time_high_usd',
  'all_time_high_at',
  'all_time_low_usd',
  'all_time_low_at',
] as const

interface Judged {
  source: string
  coins: readonly (MarketRow & { coinId: string })[]
  quarantined: readonly QuarantinedRow[]
  /** prices of the other source by coin */
  checks: Map<string | undefined, { usd: string; at: Date }>
  /** the coin of a quarantined row */
  idOf: (upstreamId: string) => string | undefined
  fetchedAt: Date
}

/** Stores plausible quotes. Quarantines the others, whose stored quotes count as stale. */
async function storeJudged(
  { now }: ActivityDeps,
  transaction: Transaction,
  { source, coins, checks, idOf, fetchedAt, ...answer }: Judged,
): Promise<Omit<QuotesResult, 'newCoins'>> {
  const stored = await readQuotedPrices(transaction.db)
  const good: (MarketRow & { coinId: string })[] = []
  const held: QuarantinedRow[] = []
  for (const { coinId, ...row } of coins) {
    const previous = stored.get(coinId) ?? null
    const second = checks.get(coinId) ?? null
    const reason = holdBackReason({ incoming: seen(row), previous, second, now: now() })
    if (reason !== null)
      held.push({ reason: `held back: ${reason}`, payload: { id: row.upstreamId, ...row } })
    // A cached answer may be older than the stored quote: skip it, it is no error.
    else if (previous === null || row.at >= previous.at) good.push({ ...row, coinId })
  }
  const quarantined = [...answer.quarantined, ...held]
  await quarantineRows(transaction.db, { source, area: 'prices', quarantined, fetchedAt })
  const quotes = good.map((row) => quoteRow(row, { coinId: row.coinId, source, fetchedAt }))
  const changed = await storeQuotes(transaction, quotes, source === COINPAPRIKA ? LACKING : [])
  const stale = quarantined.flatMap(({ payload }) => idOf(upstreamIdOf(payload)) ?? [])
  await markQuotesStale(transaction.db, stale)
  return { source, changed, held: held.length, quarantined: answer.quarantined.length }
}

function seen(row: MarketRow): { usd: string; at: Date } {
  return { usd: row.priceUsd, at: row.at }
}

/** The upstream id in a quarantined row, or an empty text. */
function upstreamIdOf(payload: unknown): string {
  const id = (payload as { id?: unknown } | null)?.id
  return typeof id === 'string' ? id : ''
}
