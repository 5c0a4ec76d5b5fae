import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { sourceCall } from '../policies.ts'

const { refreshQuotes, refreshTotals, refreshTokenQuotes } = proxyActivities<PricesActivities>(sourceCall)

/** New quotes of all coins. Coins that were not there before get their history from `fillNewCoins`. */
export async function refreshCoins(): Promise<{ newCoins: number; changed: number; held: number }> {
  const { newCoins, changed, held } = await refreshQuotes()
  await refreshTotals()
  await refreshTokenQuotes()
  return { newCoins, changed, held }
}
