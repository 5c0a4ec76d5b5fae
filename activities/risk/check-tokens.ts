import type { RiskToken } from '../../db/risk/chains.ts'
import { type CheckedToken, storeRisks } from '../../db/risk/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { assess } from './assess.ts'
import { type GoPlus, GOPLUS } from './sources/goplus.ts'

export interface CheckResult {
  checked: number
  /** tokens that the source knows */
  known: number
  refused: number
}

/**
 * Asks the source about tokens and stores what it says, call by call. Tokens that it refuses go to the quarantine and
 * count as checked, so that they do not stand in the way of the others.
 */
export async function checkTokens(
  deps: ActivityDeps,
  goplus: GoPlus | null,
  tokens: readonly RiskToken[],
): Promise<CheckResult> {
  if (goplus === null) throw new SourceRejected(GOPLUS, 'this source is off')
  const result: CheckResult = { checked: 0, known: 0, refused: 0 }
  for (const batch of batches(tokens, goplus.batchSize)) {
    const { checked, refused } = await ask(goplus, batch)
    const checkedAt = deps.now()
    await transact(deps.pool, async (transaction) => {
      await quarantineRows(transaction.db, { source: GOPLUS, area: 'risk', refused, fetchedAt: checkedAt })
      await storeRisks(transaction, { tokens: checked, source: GOPLUS, checkedAt })
    })
    result.checked += checked.length
    result.known += checked.filter(({ assessment }) => assessment !== null).length
    result.refused += refused.length
    deps.heartbeat()
  }
  return result
}

async function ask(goplus: GoPlus, batch: readonly RiskToken[]) {
  const blockchain = batch[0]!.blockchain
  try {
    const found = await goplus.tokenFacts({ blockchain, addresses: batch.map(({ address }) => address) })
    const checked = batch.map((token): CheckedToken => {
      const facts = found.get(token.address)
      return { ...token, assessment: facts ? { facts, ...assess(facts) } : null }
    })
    return { checked, refused: [] }
  } catch (error) {
    if (!(error instanceof SourceRejected)) throw error
    const refused = batch.map((token) => ({ reason: error.message, payload: token }))
    return { checked: batch.map((token) => ({ ...token, assessment: null })), refused }
  }
}

/** Calls of one network each, none with more tokens than it may have. */
function batches(tokens: readonly RiskToken[], size: number): RiskToken[][] {
  const byChain = new Map<string, RiskToken[]>()
  for (const token of tokens) byChain.set(token.blockchain, [...(byChain.get(token.blockchain) ?? []), token])
  return [...byChain.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / size) }, (_, i) => group.slice(i * size, (i + 1) * size)),
  )
}
