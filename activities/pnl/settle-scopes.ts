import type { Db } from '../../db/schema.ts'
import { markFolds } from '../../db/pnl/lots/folds.ts'
import type { Scope } from '../../db/pnl/scopes.ts'
import { rematchTransfers } from './rematch-transfers.ts'

/**
 * Matches the own transfers of locked scopes again, from `fromMs` or from where their set of books changed,
 * and marks their folds dirty. `fromMs` is Infinity when the books themselves did not change.
 */
export async function settleScopes(input: {
  db: Db
  scopes: readonly Scope[]
  fromMs: number
}): Promise<void> {
  const { db, scopes } = input
  const changes = scopes.map((scope) => {
    const fromMs = Math.min(input.fromMs, scope.dirtyMs ?? Infinity)
    return { scope, fromMs: fromMs === Infinity ? null : fromMs }
  })
  for (const { scope, fromMs } of changes) {
    if (fromMs !== null) await rematchTransfers({ db, scope, fromMs })
  }
  await markFolds(db, changes)
}
