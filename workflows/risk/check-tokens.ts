import { proxyActivities } from '@temporalio/workflow'
import type { RiskActivities } from '../../activities/risk/index.ts'
import { bulkLoad } from '../policies.ts'

const activities = proxyActivities<RiskActivities>(bulkLoad)

/** Checks tokens that somebody asked for and that nothing is known of. Returns how many of them the source knows. */
export async function checkTokens(input: Parameters<RiskActivities['checkTokens']>[0]): Promise<number> {
  return (await activities.checkTokens(input)).known
}
