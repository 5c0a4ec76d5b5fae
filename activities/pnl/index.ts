import { heartbeat } from '@temporalio/activity'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import { duePnl } from '../../db/pnl/due-states.ts'
import { dirtyScopes } from '../../db/pnl/fold-scopes.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { foldScope } from './fold-scope.ts'
import { recomputeBook } from './recompute-book.ts'

export type PnlActivities = ReturnType<typeof createPnlActivities>

/** P&L of books. Doing either again changes nothing. */
export function createPnlActivities(deps: Pick<ActivityDeps, 'db' | 'pool' | 'now'>) {
  const { db, pool, now } = deps
  return {
    async recomputeBookPnl(book: BookKey) {
      const nowMs = now().getTime()
      const onProgress = (instantMs: number) => heartbeat(instantMs)
      const computed = await recomputeBook({ pool, book, nowMs, onProgress })
      for (const scope of await dirtyScopes(db, await openBook(db, book)))
        await foldScope({ pool, scope, nowMs, onProgress })
      return computed
    },

    async listDuePnl({ limit }: { limit: number }): Promise<BookKey[]> {
      return await duePnl({ db, midnight: new Date(startOfPeriod('daily', now().getTime())), limit })
    },
  }
}
