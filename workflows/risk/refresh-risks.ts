import { proxyActivities } from '@temporalio/workflow'
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

/** Checks the tokens that are due: contracts of listed coins and requested tokens. */
export async function refreshRisks(): Promise<{ checked: number; known: number; quarantined: number }> {
  const tokens = await listDueTokens({ beforeMs: Date.now() - MAX_AGE_MS, limit: MOST_TOKENS })
  const total = { checked: 0, known: 0, quarantined: 0 }
  for (let i = 0; i < tokens.length; i += BATCH) {
    const result = await checkTokens({ tokens: tokens.slice(i, i + BATCH) })
    total.checked += result.checked
    total.known += result.known
    total.quarantined += result.quarantined
  }
  return total
}
