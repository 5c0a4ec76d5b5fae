import type { PortfoliosActivities } from '../../activities/portfolios/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad } from '../policies.ts'

const bulk = activitiesApart<PortfoliosActivities>('derived', bulkLoad)

/** Deletes replaced rows that are too old for `asOf` requests. */
export async function forgetReplaced(): Promise<{ rows: number }> {
  return { rows: await bulk.forgetReplaced() }
}
