import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow'
import type { ExchangesActivities } from '../../activities/exchanges/index.ts'
import { childAttributes } from '../child-attributes.ts'
import { quickCall } from '../policies.ts'
import type { syncExchange } from './sync-exchange.ts'

const { listDueExchanges } = proxyActivities<ExchangesActivities>(quickCall)

export interface RefreshExchangesInput {
  /** an account is due when its last sync is older than this */
  olderThanSeconds: number
  limit: number
  /** number of syncs at the same time */
  parallel: number
}

/** Syncs the due accounts, `parallel` at a time. Leaves a running sync alone. */
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
          typedSearchAttributes: childAttributes({}),
          parentClosePolicy: ParentClosePolicy.ABANDON,
        })
        started++
        // The failure is stored in exchange_connections; the others go on.
        await child.result().catch(() => undefined)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { started }
}
