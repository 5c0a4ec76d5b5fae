import { transact } from '../transact.ts'
import type pg from 'pg'

/** A source as the worker runs it. */
export interface SourceSettings {
  name: string
  area: string
  /** The variable that would switch it on; null: it is on. */
  missing: string | null
  freshnessTargetSeconds: number
  requestsPerSecond: number
  burst: number
  /** Requests that its free plan gives; null: no limit that counts here. */
  quota: { requests: number; per: 'day' | 'month' } | null
}

/** Writes down what the worker runs with, in the place of what was there. */
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
