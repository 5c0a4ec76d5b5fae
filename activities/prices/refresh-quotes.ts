import { hasCoinsOf, readLastQuoted } from '../../db/prices/read-for-ingest.ts'
import { noteDataAge } from '../../db/sources/note-data-age.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { COINGECKO } from '../coingecko.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import type { ActivityDeps } from '../deps.ts'
import { isSourceError, SourceRejected } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { MarketRow } from './market-data.ts'
import type { PriceSources } from './price-sources.ts'
import { refreshByAlias } from './refresh-by-alias.ts'
import { MARKETS_PAGE_SIZE } from './sources/coingecko.ts'
import { type Markets, MOST_FOLLOWED, type QuotesResult, storeFirst, storeSecond } from './store-markets.ts'

/** Pages of CoinGecko's market list that are followed, by market value. */
export const MOST_PAGES = MOST_FOLLOWED / MARKETS_PAGE_SIZE
/** The free plan has 10,000 calls a month, failed ones included: two pages each half hour are 3,000 of them. */
export const FREE_QUOTES_PACE_MS = 28 * 60_000

/**
 * Stores the quotes of all followed coins, from the first source that answers: CoinGecko with a key, whose
 * rows the second source checks, then CoinPaprika, then DefiLlama, which gives the price alone. Each of them is
 * enough to begin with.
 */
export async function refreshQuotes(deps: ActivityDeps, sources: PriceSources): Promise<QuotesResult> {
  const { coingecko, coinpaprika } = sources
  const isFirst = coingecko !== null && coingecko.plan !== 'keyless'
  if (isFirst && coingecko.plan === 'free') {
    const last = await readLastQuoted(deps.db, COINGECKO)
    if (last !== null && deps.now().getTime() - last.getTime() < FREE_QUOTES_PACE_MS)
      return { source: COINGECKO, newCoins: 0, changed: 0, held: 0, quarantined: 0 }
  }
  const failures: Error[] = []
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!isSourceError(error)) throw error
      deps.log.warn({ source: error.source, reason: error.message }, 'no quotes from this source')
      failures.push(error)
      return null
    }
  }
  const second = coinpaprika && (await attempt(() => coinpaprika.tickers()))
  const first = isFirst ? await attempt(() => readMarkets(deps, coingecko)) : null
  const answers = { [COINGECKO]: first, [COINPAPRIKA]: second }
  for (const [source, markets] of Object.entries(answers))
    await noteDataAge(deps.db, { source, times: markets?.rows.map(({ at }) => at) ?? [], now: deps.now() })
  if (first) return storeFirst(deps, { first, second })
  if (second && second.rows.length > 0) {
    const addsCoins = !isFirst || !(await hasCoinsOf(deps.db, COINGECKO))
    return storeSecond(deps, { second, addsCoins })
  }
  const third = await attempt(() => refreshByAlias(deps, sources))
  if (third) return third
  throw failures[0] ?? new SourceRejected('quotes', 'CoinGecko, CoinPaprika and DefiLlama are all off')
}

async function readMarkets(
  { db, now }: ActivityDeps,
  coingecko: NonNullable<PriceSources['coingecko']>,
): Promise<Markets> {
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
