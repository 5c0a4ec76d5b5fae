import { quarantineRows } from '../../db/sources/write.ts'
import { readLargestPairs } from '../../db/tickers/read-for-ingest.ts'
import { storePairPrices } from '../../db/tickers/write-tickers.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { BINANCE_KLINES } from './sources/binance-klines.ts'
import type { TickerSources } from './ticker-sources.ts'

const EXCHANGE = 'binance'

/**
 * Adds the hourly closes of the largest Binance markets: the last `days` days the first time, then those
 * since the newest stored one. Returns the number of points added; 0 while the source is off.
 */
export async function fillPairPrices(
  deps: ActivityDeps,
  { binanceKlines }: TickerSources,
  input: { pairs: number; days: number },
): Promise<number> {
  if (binanceKlines === null) return 0
  const query = { exchangeId: EXCHANGE, source: BINANCE_KLINES, limit: input.pairs }
  let added = 0
  for (const { base, target, newest } of await readLargestPairs(deps.db, query)) {
    // The current hour has no close yet.
    const toMs = Math.floor(deps.now().getTime() / HOUR_MS) * HOUR_MS - 1
    const fromMs = newest?.getTime() ?? toMs + 1 - input.days * DAY_MS
    if (fromMs > toMs) continue
    const { rows, quarantined } = await binanceKlines
      .hours({ base, target, fromMs, toMs })
      .catch((error: unknown) => {
        if (!(error instanceof SourceRejected)) throw error
        const refusal: QuarantinedRow = { reason: error.message, payload: { base, target } }
        return { rows: [], quarantined: [refusal] }
      })
    const fetchedAt = deps.now()
    added += await transact(deps.pool, async (transaction) => {
      await quarantineRows(transaction.db, {
        source: BINANCE_KLINES,
        area: 'tickers',
        quarantined,
        fetchedAt,
      })
      const points = rows.map((row) => ({ ...row, base, target }))
      return storePairPrices(transaction, { exchangeId: EXCHANGE, points, source: BINANCE_KLINES, fetchedAt })
    })
    deps.heartbeat()
  }
  return added
}
