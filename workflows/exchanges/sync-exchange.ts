import {
  ActivityFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  rootCause,
  workflowInfo,
} from '@temporalio/workflow'
import type { ExchangesActivities } from '../../activities/exchanges/index.ts'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad, quickCall, sourceCall } from '../policies.ts'

const quick = proxyActivities<ExchangesActivities>(quickCall)
const source = proxyActivities<ExchangesActivities>(sourceCall)
const history = activitiesApart<ExchangesActivities & PricesActivities>('history', bulkLoad)
const derived = activitiesApart<ExchangesActivities & PnlActivities>('derived', bulkLoad)

export interface SyncExchangeInput {
  connectionId: string
  /** the instant up to which to read the history; set by the sync itself when it continues as new */
  targetMs?: number
}

/**
 * Brings one exchange account up to date: rows, prices, legs, P&L. Its workflow id is
 * `exchange:{connectionId}`, so only one runs at a time and nonces rise. A failure is stored in
 * `exchange_connections.failure`.
 */
export async function syncExchange(input: SyncExchangeInput): Promise<{ targetMs: number }> {
  const { connectionId } = input
  try {
    return await run(input)
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ContinueAsNew))
      await CancellationScope.nonCancellable(() =>
        quick.failExchangeSync({ connectionId, failure: failureOf(error) }),
      )
    throw error
  }
}

async function run({ connectionId, ...input }: SyncExchangeInput): Promise<{ targetMs: number }> {
  const targetMs = input.targetMs ?? (await source.beginExchangeSync({ connectionId })).targetMs
  while (!(await history.syncExchangeStep({ connectionId, targetMs })).done) {
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof syncExchange>({ connectionId, targetMs })
  }
  const coins = await quick.identifyExchangeAssets({ connectionId })
  if (coins) await history.ensureHourlyPrices(coins)
  await derived.deriveExchangeLegs({ connectionId, targetMs })
  await derived.recomputeBookPnl({ connectionId })
  await quick.completeExchangeSync({ connectionId, targetMs })
  return { targetMs }
}

function failureOf(error: unknown): string {
  const text = error instanceof ActivityFailure ? rootCause(error) : undefined
  return (text ?? (error instanceof Error ? error.message : String(error))).slice(0, 500)
}
