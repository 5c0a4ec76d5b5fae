import { log, proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { sourceCall } from '../policies.ts'

const { refreshQuotes, refreshTotals, refreshTokenQuotes } = proxyActivities<PricesActivities>(sourceCall)

/** Refreshes the quotes of all coins. `fillNewCoins` fills the history of new ones. */
export async function refreshCoins(): Promise<{ newCoins: number; changed: number; held: number }> {
  const { newCoins, changed, held } = await refreshQuotes()
  // What one source refuses is no reason to lose the others; the next run asks again.
  await refreshTotals().catch((error: unknown) => log.warn('no market totals', { reason: String(error) }))
  await refreshTokenQuotes().catch((error: unknown) =>
    log.warn('no prices of tokens', { reason: String(error) }),
  )
  return { newCoins, changed, held }
}
