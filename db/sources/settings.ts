import { transact } from '../transact.ts'
import type pg from 'pg'

/** The area of nodes, which serve several others. */
export const NODE_AREA = 'nodes'

/** Settings with which the worker runs a source. */
export interface SourceSettings {
  name: string
  area: string
  /** The variable that turns it on; null: it is on. */
  missing: string | null
  /** null: it is asked when it is needed, and never late */
  freshnessTargetSeconds: number | null
  /** How fast it may be asked; null: no limit is known */
  requestsPerSecond: number | null
  burst: number | null
  /** What its plan allows, as the vendor counts; null: no limit that matters here. */
  quota: { units: number; per: 'day' | 'month'; unit: string } | null
  /** Whose allowance it shares with other sources; null: it has its own. */
  account: string | null
}

/** Replaces the stored settings with those of the running worker. */
export async function storeSourceSettings(pool: pg.Pool, sources: readonly SourceSettings[]): Promise<void> {
  await transact(pool, async ({ db }) => {
    await db.deleteFrom('sources').execute()
    await db.insertInto('sources').values(sources.map(rowOf)).execute()
  })
}

function rowOf(source: SourceSettings) {
  const { name, area, missing, burst, quota, account } = source
  return {
    name,
    area,
    missing,
    burst,
    account,
    freshness_target_s: source.freshnessTargetSeconds,
    requests_per_second: source.requestsPerSecond,
    quota: quota && String(quota.units),
    quota_per: quota?.per ?? null,
    unit: quota?.unit ?? null,
  }
}
