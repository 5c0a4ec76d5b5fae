import { proxyActivities } from '@temporalio/workflow'
import type { RiskActivities } from '../../activities/risk/index.ts'
import { bulkLoad } from '../policies.ts'

const activities = proxyActivities<RiskActivities>(bulkLoad)

/** Checks requested tokens without a recent result. Returns the number of tokens that the source knows. */
export async function checkTokens(input: Parameters<RiskActivities['checkTokens']>[0]): Promise<number> {
  return (await activities.checkTokens(input)).known
}
