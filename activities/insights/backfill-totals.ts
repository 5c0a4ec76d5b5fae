import { storePastTotals } from '../../db/insights/write.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { InsightSources } from './insight-sources.ts'

/**
 * Adds past market totals to the sampled ones: hourly for the last day, daily before it. If the plan has no
 * past totals, adds none, and the history begins with the first sample. Returns the number of rows added.
 */
export async function backfillTotals(deps: ActivityDeps, { totals }: InsightSources): Promise<number> {
  if (totals === null) return 0
  try {
    const past = [...(await totals.history('max')), ...(await totals.history('1'))]
    const fetchedAt = deps.now()
    return await transact(deps.pool, (transaction) =>
      storePastTotals(transaction, { source: COINGECKO, totals: past, fetchedAt }),
    )
  } catch (error) {
    if (!(error instanceof SourceRejected)) throw error
    deps.log.info({ reason: error.message }, 'past market totals are unavailable')
    return 0
  }
}
