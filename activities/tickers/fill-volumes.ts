import { readPricesAt } from '../../db/prices/read-prices.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { readUnchartedExchanges } from '../../db/tickers/read-for-ingest.ts'
import { deriveFromVolumes, markCharted, storeVolumes } from '../../db/tickers/write-exchanges.ts'
import { transact } from '../../db/transact.ts'
import { decimal, formatDecimal, multiply } from '../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { TickerSources } from './ticker-sources.ts'

const HISTORY_DAYS = 14

/**
 * Reads the volumes of the last fourteen days of the largest exchanges that have no volume history yet, so
 * that changes are known from the first day. Converts BTC volumes at the bitcoin price of their instant, and
 * reads nothing until those prices are stored. Returns the number of points added.
 */
export async function fillVolumes(
  deps: ActivityDeps,
  { coingecko }: TickerSources,
  { limit }: { limit: number },
): Promise<number> {
  const exchanges = await readUnchartedExchanges(deps.db, { source: COINGECKO, limit })
  if (coingecko === null || exchanges.length === 0) return 0
  const earliest = new Date(deps.now().getTime() - HISTORY_DAYS * DAY_MS)
  const [known] = await readPricesAt(deps.db, { coinId: 'bitcoin', instants: [earliest] })
  if (!known) return 0
  let added = 0
  for (const { exchangeId, upstreamId } of exchanges) {
    const answer = await askVolumes(deps, coingecko, upstreamId)
    if (answer === null) break
    const { rows, quarantined } = answer
    const hours = new Map(
      rows.map((row) => [Math.floor(row.at.getTime() / HOUR_MS) * HOUR_MS, row.volume24hBtc] as const),
    )
    const instants = [...hours.keys()].map((ms) => new Date(ms))
    const prices = await readPricesAt(deps.db, { coinId: 'bitcoin', instants })
    const points = instants.flatMap((at, index) => {
      const usd = prices[index]
      const volume24hUsd = usd && formatDecimal(multiply(decimal(hours.get(at.getTime())!), decimal(usd)))
      return volume24hUsd ? [{ exchangeId, source: COINGECKO, at, volume24hUsd }] : []
    })
    const fetchedAt = deps.now()
    added += await transact(deps.pool, async (transaction) => {
      await quarantineRows(transaction.db, { source: COINGECKO, area: 'tickers', quarantined, fetchedAt })
      await markCharted(transaction.db, { exchangeId, at: fetchedAt })
      return storeVolumes(transaction, { points, fetchedAt })
    })
    deps.heartbeat()
  }
  await deriveFromVolumes(deps.db)
  return added
}

/** null: the source is away, or its allowance leaves none for the past now. What is missing waits for the next run. */
async function askVolumes(
  { log }: Pick<ActivityDeps, 'log'>,
  coingecko: NonNullable<TickerSources['coingecko']>,
  upstreamId: string,
) {
  try {
    return await coingecko.volumes(upstreamId)
  } catch (error) {
    if (error instanceof SourceUnavailable) {
      log.warn({ reason: error.message }, 'past volumes of exchanges wait for the next run')
      return null
    }
    if (!(error instanceof SourceRejected)) throw error
    const refusal: QuarantinedRow = { reason: error.message, payload: { upstreamId } }
    return { rows: [], quarantined: [refusal] }
  }
}
