import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, sourceCall } from '../policies.ts'

const activities = proxyActivities<PricesActivities>(sourceCall)
const { describeCoins } = proxyActivities<PricesActivities>(bulkLoad)

/** Which coins are listed, where their contracts are, and what describes the new ones. */
export async function refreshListings(): Promise<{ contracts: number; delisted: number; described: number }> {
  const listings = await activities.refreshListings()
  return { ...listings, described: await describeCoins({ limit: 100 }) }
}
