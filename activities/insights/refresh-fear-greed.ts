import { newestFearGreed, storeFearGreed } from '../../db/insights/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { IndexSource } from './index-days.ts'
import type { InsightSources } from './insight-sources.ts'

export interface FearGreedResult {
  source: string
  /** new or changed days */
  changed: number
  quarantined: number
}

/** Recent days are read again: publishers sometimes correct a value. */
const LOOKBACK_DAYS = 7

/**
 * Reads the days of the fear and greed index since the newest stored one, or all of them the first time. When
 * the first publisher fails, reads the index of the next one, which is stored as a separate series. `afresh`
 * reads all days.
 */
export async function refreshFearGreed(
  deps: ActivityDeps,
  { indexes }: InsightSources,
  { afresh = false }: { afresh?: boolean } = {},
): Promise<FearGreedResult> {
  let failure: unknown = new SourceRejected('fear and greed', 'all sources of the index are off')
  for (const index of indexes) {
    try {
      return await refreshIndex(deps, index, afresh)
    } catch (error) {
      if (!(error instanceof SourceUnavailable || error instanceof SourceRejected)) throw error
      deps.log.warn({ reason: error.message }, 'could not read the fear and greed index from this source')
      // Report the failure of the preferred publisher.
      if (index === indexes[0]) failure = error
    }
  }
  throw failure
}

async function refreshIndex(
  deps: ActivityDeps,
  index: IndexSource,
  afresh: boolean,
): Promise<FearGreedResult> {
  const source = index.name
  const { days, quarantined } = await index.history({ days: afresh ? null : await missingDays(deps, source) })
  const fetchedAt = deps.now()
  const changed = await transact(deps.pool, async (transaction) => {
    await quarantineRows(transaction.db, { source, area: 'insights', quarantined, fetchedAt })
    return storeFearGreed(transaction, { source, days, fetchedAt })
  })
  if (days.length === 0) throw new SourceRejected(source, 'its fear and greed index has no valid day')
  return { source, changed, quarantined: quarantined.length }
}

/** The number of newest days to read; null: all. */
async function missingDays({ db, now }: ActivityDeps, source: string): Promise<number | null> {
  const at = await newestFearGreed(db, source)
  return at === null ? null : Math.ceil((now().getTime() - at.getTime()) / DAY_MS) + LOOKBACK_DAYS
}
