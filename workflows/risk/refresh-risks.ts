import { ApplicationFailure, proxyActivities, rootCause } from '@temporalio/workflow'
import { batchesOf } from '../../db/values/batches.ts'
import type { RiskActivities } from '../../activities/risk/index.ts'
import { bulkLoad, quickCall } from '../policies.ts'

const { listDueTokens } = proxyActivities<RiskActivities>(quickCall)
const { checkTokens } = proxyActivities<RiskActivities>(bulkLoad)

/** A token is checked once a day. */
const MAX_AGE_MS = 24 * 3_600_000
/** Tokens per run: as many as the free plan allows until the next run. Later runs check the rest. */
const MOST_TOKENS = 400
/** Tokens per activity. */
const BATCH = 25

/**
 * Checks the tokens that are due: contracts of listed coins and requested tokens. Networks have different sources, so
 * one that is down does not delay the others. Fails in the end if a network could not be checked.
 */
export async function refreshRisks(): Promise<{ checked: number; known: number; quarantined: number }> {
  const all = await listDueTokens({ beforeMs: Date.now() - MAX_AGE_MS, limit: MOST_TOKENS })
  const total = { checked: 0, known: 0, quarantined: 0 }
  const networks = Object.values(Object.groupBy(all, ({ blockchain }) => blockchain))
  const ends = await Promise.allSettled(
    networks.map(async (due) => {
      for (const tokens of batchesOf(due, BATCH)) {
        const result = await checkTokens({ tokens })
        total.checked += result.checked
        total.known += result.known
        total.quarantined += result.quarantined
      }
    }),
  )
  const failed = ends.filter((end) => end.status === 'rejected')
  if (failed[0])
    throw ApplicationFailure.nonRetryable(
      `${failed.length} of ${networks.length} networks could not be checked: ${rootCause(failed[0].reason)}`,
    )
  return total
}
