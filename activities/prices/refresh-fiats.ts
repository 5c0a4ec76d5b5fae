import { sql } from 'kysely'
import { storeFiatRates } from '../../db/prices/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { type PriceSources, required } from './price-sources.ts'
import { FRANKFURTER } from './sources/frankfurter.ts'

const HISTORY_DAYS = 3 * 365
/** Banks correct a rate now and then. */
const LOOKBACK_DAYS = 7

/**
 * Reads the reference rates since the newest stored ones, three years at first. Days without rates have no rows: who
 * reads carries the last rate forward. Returns rows new or changed.
 */
export async function refreshFiats(deps: ActivityDeps, sources: PriceSources): Promise<number> {
  const frankfurter = required(sources, 'frankfurter')
  const now = deps.now()
  const newest = await sql<{ at: Date | null }>`
    select max(at) as at from fx_rates where source = ${FRANKFURTER}`.execute(deps.db)
  const newestMs = newest.rows[0]?.at?.getTime()
  const fromMs =
    newestMs === undefined ? now.getTime() - HISTORY_DAYS * DAY_MS : newestMs - LOOKBACK_DAYS * DAY_MS
  const range = { from: dateOf(fromMs), to: dateOf(now.getTime()) }
  const { rates, refused } = await frankfurter.rates(range)
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await quarantineRows(transaction.db, { source: FRANKFURTER, area: 'prices', refused, fetchedAt })
    return storeFiatRates(transaction, { rates, source: FRANKFURTER, fetchedAt })
  })
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
