import { readMappings, readQuotedPrices } from '../../db/prices/read-for-ingest.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { type MappedExchange, readLargestExchanges } from '../../db/tickers/read-for-ingest.ts'
import { storeTickers, type TickerValues, unlistUnread } from '../../db/tickers/write-tickers.ts'
import { transact } from '../../db/transact.ts'
import { compare, decimal, divide } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { TickerRow } from './exchange-data.ts'
import { type CoinGecko, TICKERS_PAGE_SIZE } from './sources/coingecko.ts'
import type { TickerSources } from './ticker-sources.ts'

export interface TickersResult {
  tickers: number
  quarantined: number
}

/** A market is verified only if its price is within this factor of its coin's quote. */
const AGREEMENT = decimal('1.1')

/**
 * Reads the markets of the largest exchanges by volume, at most `pages` pages per exchange. Reads nothing
 * while CoinGecko is off: only exchange volumes work without it.
 */
export async function refreshTickers(
  deps: ActivityDeps,
  { coingecko }: TickerSources,
  input: { exchanges: number; pages: number },
): Promise<TickersResult> {
  const result: TickersResult = { tickers: 0, quarantined: 0 }
  if (coingecko === null) return result
  const exchanges = await readLargestExchanges(deps.db, { source: COINGECKO, limit: input.exchanges })
  const coinIds = await readMappings(deps.db, COINGECKO)
  for (const exchange of exchanges) {
    const { rows, quarantined } = await readTickers(coingecko, { exchange, pages: input.pages })
    const quotes = await readQuotedPrices(deps.db)
    const idOf = (upstreamId: string | null) =>
      upstreamId === null ? null : (coinIds.get(upstreamId) ?? null)
    const tickers = rows.map(({ doubtful, baseUpstreamId, targetUpstreamId, ...row }): TickerValues => {
      const baseCoinId = idOf(baseUpstreamId)
      const quote = baseCoinId === null ? undefined : quotes.get(baseCoinId)
      const verified = !doubtful && quote !== undefined && agree(row.priceUsd, quote.usd)
      return { ...row, baseCoinId, targetCoinId: idOf(targetUpstreamId), verified }
    })
    const seenAt = deps.now()
    await transact(deps.pool, async (transaction) => {
      await quarantineRows(transaction.db, {
        source: COINGECKO,
        area: 'tickers',
        quarantined,
        fetchedAt: seenAt,
      })
      if (rows.length === 0) return
      await storeTickers(transaction, {
        exchangeId: exchange.exchangeId,
        tickers,
        seenAt,
        source: COINGECKO,
      })
    })
    result.tickers += tickers.length
    result.quarantined += quarantined.length
    deps.heartbeat()
  }
  await unlistUnread(deps.db, { since: new Date(deps.now().getTime() - DAY_MS) })
  return result
}

/**
 * Reads the first pages of an exchange, each market once. If the source refuses a page, quarantines the
 * refusal.
 */
async function readTickers(
  coingecko: CoinGecko,
  { exchange, pages }: { exchange: MappedExchange; pages: number },
): Promise<{ rows: TickerRow[]; quarantined: QuarantinedRow[] }> {
  const rows = new Map<string, TickerRow>()
  const quarantined: QuarantinedRow[] = []
  let whole = false
  for (let page = 1; page <= pages && !whole; page++) {
    try {
      const answer = await coingecko.tickers({ upstreamId: exchange.upstreamId, page })
      // A market whose volume changes between two pages appears twice.
      for (const row of answer.rows)
        rows.set(`${row.base}/${row.target}`, rows.get(`${row.base}/${row.target}`) ?? row)
      quarantined.push(...answer.quarantined)
      whole = answer.size < TICKERS_PAGE_SIZE
    } catch (error) {
      if (!(error instanceof SourceRejected)) throw error
      quarantined.push({ reason: error.message, payload: { exchangeId: exchange.exchangeId, page } })
      break
    }
  }
  return { rows: [...rows.values()], quarantined }
}

function agree(a: string, b: string): boolean {
  const [low, high] = compare(decimal(a), decimal(b)) <= 0 ? [a, b] : [b, a]
  return compare(divide(decimal(high), decimal(low)), AGREEMENT) <= 0
}
