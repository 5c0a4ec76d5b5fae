import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { sourceCall } from '../policies.ts'

const { refreshQuotes, refreshTotals, refreshTokenQuotes } = proxyActivities<PricesActivities>(sourceCall)

/** Refreshes the quotes of all coins. `fillNewCoins` fills the history of new ones. */
export async function refreshCoins(): Promise<{ newCoins: number; changed: number; held: number }> {
  const { newCoins, changed, held } = await refreshQuotes()
  await refreshTotals()
  await refreshTokenQuotes()
  return { newCoins, changed, held }
}
