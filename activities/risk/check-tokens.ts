import { batchesOf } from '../../db/values/batches.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import { type CheckedToken, storeRisks } from '../../db/risk/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { RiskSource } from './risk-sources.ts'

export interface CheckResult {
  checked: number
  /** tokens that the source knows */
  known: number
  /** refused tokens and unknown risk names */
  quarantined: number
}

/**
 * Checks tokens at the source of their network and stores the results after each call. Refused tokens are
 * quarantined and count as checked, so that they do not block the others. Tokens of a source that is spent or
 * down stay due. Throws if nothing could be checked.
 */
export async function checkTokens(
  deps: ActivityDeps,
  sources: readonly RiskSource[],
  tokens: readonly RiskToken[],
): Promise<CheckResult> {
  const result: CheckResult = { checked: 0, known: 0, quarantined: 0 }
  let unavailable: SourceUnavailable | null = null
  for (const group of Object.values(Object.groupBy(tokens, ({ blockchain }) => blockchain))) {
    const { blockchain } = group![0]!
    const source = sources.find(({ chains }) => chains.includes(blockchain))
    if (!source) throw new SourceRejected('risk', `no source for ${blockchain} is on`)
    for (const asked of batchesOf(group!, source.batchSize)) {
      let answer
      try {
        answer = await ask(source, asked)
      } catch (error) {
        if (!(error instanceof SourceUnavailable)) throw error
        unavailable ??= error
        break
      }
      const { checked, quarantined } = answer
      const checkedAt = deps.now()
      await transact(deps.pool, async (transaction) => {
        const { name } = source
        await quarantineRows(transaction.db, {
          source: name,
          area: 'risk',
          quarantined,
          fetchedAt: checkedAt,
        })
        await storeRisks(transaction, { tokens: checked, source: name, checkedAt })
      })
      result.checked += checked.length
      result.known += checked.filter(({ assessment }) => assessment !== null).length
      result.quarantined += quarantined.length
      deps.heartbeat()
    }
  }
  if (unavailable && result.checked === 0) throw unavailable
  if (unavailable)
    deps.log.warn({ reason: unavailable.message }, 'tokens that are not checked wait for the next run')
  return result
}

async function ask(source: RiskSource, batch: readonly RiskToken[]): ReturnType<RiskSource['check']> {
  try {
    return await source.check(batch)
  } catch (error) {
    if (!(error instanceof SourceRejected)) throw error
    const checked = batch.map((token): CheckedToken => ({ ...token, assessment: null }))
    return { checked, quarantined: batch.map((token) => ({ reason: error.message, payload: token })) }
  }
}
