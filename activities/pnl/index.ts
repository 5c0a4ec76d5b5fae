import { heartbeat } from '@temporalio/activity'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import { type DuePnl, duePnl } from '../../db/pnl/due-states.ts'
import { dirtyFolds } from '../../db/pnl/folds.ts'
import { type Change, lockScopes } from '../../db/pnl/scopes.ts'
import { transact } from '../../db/transact.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { foldScope } from './fold-scope.ts'
import { recomputeBook } from './recompute-book.ts'
import { settleScopes } from './settle-scopes.ts'

export type PnlActivities = ReturnType<typeof createPnlActivities>

/** P&L of books, and of all that an account has together. Doing any of it again changes nothing. */
export function createPnlActivities(deps: Pick<ActivityDeps, 'db' | 'pool' | 'now'>) {
  const { db, pool, now } = deps
  const onProgress = (instantMs: number) => heartbeat(instantMs)
  const foldChanged = async (change: Change, nowMs: number): Promise<void> => {
    for (const foldId of await dirtyFolds(db, change)) await foldScope({ pool, foldId, nowMs, onProgress })
  }
  return {
    async recomputeBookPnl(key: BookKey) {
      const nowMs = now().getTime()
      const computed = await recomputeBook({ pool, book: key, nowMs, onProgress })
      const book = await openBook(db, key)
      await foldChanged({ bookId: book.id }, nowMs)
      return computed
    },

    /** After its portfolios, or how they are folded, became other ones. */
    async refreshAccountPnl(account: { accountId: string }): Promise<void> {
      await transact(pool, async ({ db }) =>
        settleScopes({ db, scopes: await lockScopes(db, account), fromMs: Infinity }),
      )
      await foldChanged(account, now().getTime())
    },

    async listDuePnl({ limit }: { limit: number }): Promise<DuePnl[]> {
      return await duePnl({ db, midnight: new Date(startOfPeriod('daily', now().getTime())), limit })
    },
  }
}
