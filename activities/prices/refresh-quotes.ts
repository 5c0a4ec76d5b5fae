import { lockCoins } from '../../db/prices/lock-coins.ts'
import { readMappings, readQuotedPrices } from '../../db/prices/read-for-ingest.ts'
import { markQuotesStale, storeCoins, storeMappings, storeQuotes } from '../../db/prices/write-coins.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { holdBackReason } from './hold-back.ts'
import type { MarketRow } from './market-data.ts'
import { matchCoins } from './match-coins.ts'
import { type PriceSources, required } from './price-sources.ts'
import { quoteRow } from './quote-row.ts'
import { MARKETS_PAGE_SIZE } from './sources/coingecko.ts'
import { COINPAPRIKA } from './sources/coinpaprika.ts'

export interface QuotesResult {
  source: string
  newCoins: number
  /** new or changed quotes */
  changed: number
  held: number
  quarantined: number
}

/** Pages of CoinGecko's market list that are followed, by market value. */
const MOST_PAGES = 2

interface Answer {
  rows: MarketRow[]
  quarantined: QuarantinedRow[]
}

/**
 * Reads the market data of all followed coins from CoinGecko and stores the rows that the second source does
 * not contradict. When CoinGecko fails, stores CoinPaprika's quotes of the coins that both sources know.
 */
export async function refreshQuotes(deps: ActivityDeps, sources: PriceSources): Promise<QuotesResult> {
  const second = await readSecond(deps, sources)
  try {
    const first = await readMarkets(deps, required(sources, 'coingecko'))
    return await storeFirst(deps, { first, second })
  } catch (error) {
    if (!(error instanceof SourceUnavailable || error instanceof SourceRejected) || second === null)
      throw error
    deps.log.warn({ reason: error.message }, 'CoinGecko failed: storing quotes of CoinPaprika')
    return storeSecond(deps, second)
  }
}

async function readMarkets(
  { db, now }: ActivityDeps,
  coingecko: NonNullable<PriceSources['coingecko']>,
): Promise<Answer> {
  const rows = new Map<string, MarketRow>()
  const quarantined: QuarantinedRow[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await coingecko.markets(page)
    // A coin whose rank changes between two pages appears twice.
    for (const row of answer.rows) rows.set(row.upstreamId, row)
    quarantined.push(...answer.quarantined)
    if (answer.size < MARKETS_PAGE_SIZE) break
  }
  if (rows.size === 0) {
    await quarantineRows(db, { source: COINGECKO, area: 'prices', quarantined, fetchedAt: now() })
    throw new SourceRejected(COINGECKO, 'its market list has no valid row')
  }
  return { rows: [...rows.values()], quarantined }
}

/** Reads the second source, which checks the first and replaces it when it fails; null: unavailable. */
async function readSecond({ log }: ActivityDeps, { coinpaprika }: PriceSources): Promise<Answer | null> {
  if (coinpaprika === null) return null
  try {
    return await coinpaprika.tickers()
  } catch (error) {
    if (!(error instanceof SourceUnavailable || error instanceof SourceRejected)) throw error
    log.warn({ reason: error.message }, 'CoinPaprika failed: quotes are stored without a second source')
    return null
  }
}

async function storeFirst(
  deps: ActivityDeps,
  { first, second }: { first: Answer; second: Answer | null },
): Promise<QuotesResult> {
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const coins = first.rows.map((row) => ({ ...row, coinId: row.upstreamId }))
    const added = await storeCoins(transaction, { coins, source: COINGECKO, fetchedAt })
    const mapped = await readMappings(transaction.db, COINPAPRIKA)
    const taken = new Set(mapped.values())
    const pairs = matchCoins(first.rows, second?.rows ?? []).filter((pair) => !taken.has(pair.coinId))
    await storeMappings(transaction, { source: COINPAPRIKA, mappings: pairs })
    for (const { upstreamId, coinId } of pairs) mapped.set(upstreamId, coinId)
    const checks = new Map(second?.rows.map((row) => [mapped.get(row.upstreamId), seen(row)]) ?? [])

    const judged = await judge(deps, transaction.db, {
      rows: first.rows,
      coinIdOf: (row) => row.upstreamId,
      checks,
    })
    const quarantined = [...first.quarantined, ...judged.held]
    await quarantineRows(transaction.db, { source: COINGECKO, area: 'prices', quarantined, fetchedAt })
    if (second)
      await quarantineRows(transaction.db, {
        source: COINPAPRIKA,
        area: 'prices',
        quarantined: second.quarantined,
        fetchedAt,
      })
    const quotes = judged.good.map((row) =>
      quoteRow(row, { coinId: row.upstreamId, source: COINGECKO, fetchedAt }),
    )
    const changed = await storeQuotes(transaction, quotes)
    await markQuotesStale(
      transaction.db,
      quarantined.map(({ payload }) => idOf(payload)),
    )
    return {
      source: COINGECKO,
      newCoins: added.length,
      changed,
      held: judged.held.length,
      quarantined: first.quarantined.length,
    }
  })
}

async function storeSecond(deps: ActivityDeps, second: Answer): Promise<QuotesResult> {
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const mapped = await readMappings(transaction.db, COINPAPRIKA)
    const coinIdOf = (row: MarketRow): string => mapped.get(row.upstreamId)!
    const rows = second.rows.filter((row) => mapped.has(row.upstreamId))
    const judged = await judge(deps, transaction.db, { rows, coinIdOf, checks: new Map() })
    const quarantined = [...second.quarantined, ...judged.held]
    await quarantineRows(transaction.db, { source: COINPAPRIKA, area: 'prices', quarantined, fetchedAt })
    const quotes = judged.good.map((row) =>
      quoteRow(row, { coinId: coinIdOf(row), source: COINPAPRIKA, fetchedAt }),
    )
    const changed = await storeQuotes(transaction, quotes)
    const stale = quarantined.flatMap(({ payload }) => mapped.get(idOf(payload)) ?? [])
    await markQuotesStale(transaction.db, stale)
    return {
      source: COINPAPRIKA,
      newCoins: 0,
      changed,
      held: judged.held.length,
      quarantined: second.quarantined.length,
    }
  })
}

interface JudgeInput {
  rows: readonly MarketRow[]
  coinIdOf: (row: MarketRow) => string
  checks: Map<string | undefined, { usd: string; at: Date }>
}

async function judge({ now }: ActivityDeps, db: ActivityDeps['db'], { rows, coinIdOf, checks }: JudgeInput) {
  const stored = await readQuotedPrices(db)
  const good: MarketRow[] = []
  const held: QuarantinedRow[] = []
  for (const row of rows) {
    const previous = stored.get(coinIdOf(row)) ?? null
    const second = checks.get(coinIdOf(row)) ?? null
    const reason = holdBackReason({ incoming: seen(row), previous, second, now: now() })
    if (reason !== null)
      held.push({ reason: `held back: ${reason}`, payload: { id: row.upstreamId, ...row } })
    // A cached answer may be older than the stored quote: skip it, it is no error.
    else if (previous === null || row.at >= previous.at) good.push(row)
  }
  return { good, held }
}

function seen(row: MarketRow): { usd: string; at: Date } {
  return { usd: row.priceUsd, at: row.at }
}

/** The upstream id in a quarantined row, or an empty text. */
function idOf(payload: unknown): string {
  const id = (payload as { id?: unknown } | null)?.id
  return typeof id === 'string' ? id : ''
}
