import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow'
import type { ExchangesActivities } from '../../activities/exchanges/index.ts'
import { quickCall } from '../policies.ts'
import type { syncExchange } from './sync-exchange.ts'

const { listDueExchanges } = proxyActivities<ExchangesActivities>(quickCall)

export interface RefreshExchangesInput {
  /** accounts whose last sync is older are due */
  olderThanSeconds: number
  limit: number
  /** syncs that run at the same time */
  parallel: number
}

/** Starts a sync for each account that is due, a few at a time; one that runs already is left alone. */
export async function refreshExchanges(input: RefreshExchangesInput): Promise<{ started: number }> {
  const { olderThanSeconds, limit, parallel } = input
  const due = await listDueExchanges({ olderThanSeconds, limit })
  let started = 0
  const work = async (): Promise<void> => {
    for (let connectionId = due.shift(); connectionId; connectionId = due.shift()) {
      try {
        const child = await startChild<typeof syncExchange>('syncExchange', {
          workflowId: `exchange:${connectionId}`,
          args: [{ connectionId }],
          parentClosePolicy: ParentClosePolicy.ABANDON,
        })
        started++
        // Its failure stands in exchange_connections; the others go on.
        await child.result().catch(() => undefined)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { started }
}
