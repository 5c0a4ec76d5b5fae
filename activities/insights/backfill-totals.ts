import { storePastTotals } from '../../db/insights/write.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { InsightSources } from './insight-sources.ts'

/**
 * Adds past totals of the market to those that are sampled: the last day by the hour, all before it by the day. A plan
 * that has no past totals is no failure: their history then begins with the first sample. Returns rows added.
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
    deps.log.info({ reason: error.message }, 'no past totals of the market')
    return 0
  }
}
