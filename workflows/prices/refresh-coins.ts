import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { sourceCall } from '../policies.ts'
import type { backfillPrices } from './backfill-prices.ts'

const { refreshQuotes, refreshTotals, refreshTokenQuotes } = proxyActivities<PricesActivities>(sourceCall)

/** New quotes of all coins. Coins that were not there before get their history at once. */
export async function refreshCoins(): Promise<{ newCoins: number; changed: number; held: number }> {
  const { newCoins, changed, held } = await refreshQuotes()
  if (newCoins > 0) await startBackfill()
  await refreshTotals()
  await refreshTokenQuotes()
  return { newCoins, changed, held }
}

async function startBackfill(): Promise<void> {
  try {
    await startChild<typeof backfillPrices>('backfillPrices', {
      workflowId: 'backfill-prices',
      parentClosePolicy: ParentClosePolicy.ABANDON,
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}
