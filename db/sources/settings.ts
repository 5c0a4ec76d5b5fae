import { transact } from '../transact.ts'
import type pg from 'pg'

/** Settings with which the worker runs a source. */
export interface SourceSettings {
  name: string
  area: string
  /** The variable that turns it on; null: it is on. */
  missing: string | null
  freshnessTargetSeconds: number
  requestsPerSecond: number
  burst: number
  /** Requests that its free plan allows; null: no limit that matters here. */
  quota: { requests: number; per: 'day' | 'month' } | null
}

/** Replaces the stored settings with those of the running worker. */
export async function storeSourceSettings(pool: pg.Pool, sources: readonly SourceSettings[]): Promise<void> {
  await transact(pool, async ({ db }) => {
    await db.deleteFrom('sources').execute()
    await db.insertInto('sources').values(sources.map(rowOf)).execute()
  })
}

function rowOf(source: SourceSettings) {
  const { name, area, missing, burst, quota } = source
  return {
    name,
    area,
    missing,
    burst,
    freshness_target_s: source.freshnessTargetSeconds,
    requests_per_second: source.requestsPerSecond,
    quota: quota?.requests ?? null,
    quota_per: quota?.per ?? null,
  }
}
