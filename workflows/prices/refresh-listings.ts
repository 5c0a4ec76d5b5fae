import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, sourceCall } from '../policies.ts'

const activities = proxyActivities<PricesActivities>(sourceCall)
const { describeCoins } = proxyActivities<PricesActivities>(bulkLoad)

/** Updates which coins are listed and their contracts, and reads the descriptions of new coins. */
export async function refreshListings(): Promise<{ contracts: number; delisted: number; described: number }> {
  const listings = await activities.refreshListings()
  return { ...listings, described: await describeCoins({ limit: 100 }) }
}
