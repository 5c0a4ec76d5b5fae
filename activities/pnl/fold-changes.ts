import type pg from 'pg'
import type { Db } from '../../db/connect.ts'
import { dirtyFolds } from '../../db/pnl/lots/folds.ts'
import type { Change } from '../../db/pnl/scopes.ts'
import { foldScope } from './fold-scope.ts'

/** Brings the coin rows up to date that a change of a book, or of the portfolios of an account, left behind. */
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
