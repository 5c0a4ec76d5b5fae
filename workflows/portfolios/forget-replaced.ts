import { proxyActivities } from '@temporalio/workflow'
import type { PortfoliosActivities } from '../../activities/portfolios/index.ts'
import { bulkLoad } from '../policies.ts'

const bulk = proxyActivities<PortfoliosActivities>(bulkLoad)

/** Deletes replaced rows that are too old for `asOf` requests. */
export async function forgetReplaced(): Promise<{ rows: number }> {
  return { rows: await bulk.forgetReplaced() }
}
