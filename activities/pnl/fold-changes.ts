import type pg from 'pg'
import type { Db } from '../../db/schema.ts'
import { dirtyFolds } from '../../db/pnl/lots/folds.ts'
import type { Change } from '../../db/pnl/scopes.ts'
import { foldScope } from './fold-scope.ts'

/** Updates the coin rows that a change of a book, or of an account's portfolios, made dirty. */
export async function foldChanges(input: {
  db: Db
  pool: pg.Pool
  change: Change
  nowMs: number
  onProgress?: (monthMs: number) => void
}): Promise<void> {
  const { db, change, ...rest } = input
  for (const foldId of await dirtyFolds(db, change)) await foldScope({ ...rest, foldId })
}
