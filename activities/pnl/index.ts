import { heartbeat } from '@temporalio/activity'
import type { BookKey } from '../../db/pnl/books.ts'
import { duePnl } from '../../db/pnl/due-states.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { recomputeBook } from './recompute-book.ts'

export type PnlActivities = ReturnType<typeof createPnlActivities>

/** P&L of books. Doing either again changes nothing. */
export function createPnlActivities(deps: Pick<ActivityDeps, 'db' | 'pool' | 'now'>) {
  const { db, pool, now } = deps
  return {
    async recomputeBookPnl(book: BookKey) {
      const nowMs = now().getTime()
      return await recomputeBook({ pool, book, nowMs, onProgress: (dayMs) => heartbeat(dayMs) })
    },

    async listDuePnl({ limit }: { limit: number }): Promise<BookKey[]> {
      return await duePnl({ db, midnight: new Date(startOfPeriod('daily', now().getTime())), limit })
    },
  }
}
