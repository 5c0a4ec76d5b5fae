import { proxyActivities } from '@temporalio/workflow'
import type { PortfoliosActivities } from '../../activities/portfolios/index.ts'
import { bulkLoad } from '../policies.ts'

const bulk = proxyActivities<PortfoliosActivities>(bulkLoad)

/** Removes what was replaced so long ago that nobody may ask for it. */
export async function forgetReplaced(): Promise<{ rows: number }> {
  return { rows: await bulk.forgetReplaced() }
}
