import { heartbeat } from '@temporalio/activity'
import type pg from 'pg'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import { type DuePnl, duePnl } from '../../db/pnl/periods/due-states.ts'
import { settleChanges } from '../../db/pnl/valuation/price-changes.ts'
import { type Change, lockScopes } from '../../db/pnl/scopes.ts'
import { dueSnapshots, type SnapshotTarget } from '../../db/portfolios/write-snapshots.ts'
import type { Db } from '../../db/schema.ts'
import { transact } from '../../db/transact.ts'
import { HOUR_MS, startOfPeriod } from '../../db/values/periods.ts'
import { foldChanges } from './fold-scope.ts'
import { recomputeBook } from './recompute-book.ts'
import { settleScopes } from './settle-scopes.ts'
import { writeSnapshots } from './write-snapshots.ts'

/** Time after a midnight by which its prices are stored. */
const PRICES_SETTLE_MS = HOUR_MS
/** A manual portfolio counts as complete when its owner has entered nothing for this long. */
const STATING_MS = HOUR_MS

/** Most portfolios that get snapshots right after a change; the schedule writes the rest. */
const MAX_SNAPSHOTS = 50

/** `toMs`: the last midnight to write. */
type DueSnapshot = SnapshotTarget & { toMs: number }

export type PnlActivities = ReturnType<typeof createPnlActivities>

/** P&L of books and of whole accounts. Every activity is idempotent. */
export function createPnlActivities(deps: { db: Db; pool: pg.Pool; now: () => Date }) {
  const { db, pool, now } = deps
  const onProgress = (instantMs: number) => heartbeat(instantMs)
  const foldChanged = async (change: Change, nowMs: number): Promise<void> => {
    await foldChanges({ db, pool, change, nowMs, onProgress })
    // Writes the snapshots of a portfolio that is computed for the first time.
    for (const due of await dueOf({ limit: MAX_SNAPSHOTS, of: change }))
      await writeSnapshots({ pool, target: due, toMs: due.toMs, now: now(), onProgress })
  }
  const dueOf = async (asked: { limit: number; of?: Change }): Promise<DueSnapshot[]> => {
    const nowMs = now().getTime()
    const toMs = startOfPeriod('daily', nowMs - PRICES_SETTLE_MS)
    const statedBefore = new Date(nowMs - STATING_MS)
    const due = await dueSnapshots(db, { midnight: new Date(toMs), statedBefore, ...asked })
    return due.map((target) => ({ ...target, toMs }))
  }
  return {
    async recomputeBookPnl(key: BookKey) {
      const nowMs = now().getTime()
      const computed = await recomputeBook({ pool, book: key, nowMs, onProgress })
      const book = await openBook(db, key)
      await foldChanged({ bookId: book.id }, nowMs)
      return computed
    },

    /** Runs after the account's portfolios or their cost method changed. */
    async refreshAccountPnl(account: { accountId: string }): Promise<void> {
      await transact(pool, async ({ db }) =>
        settleScopes({ db, scopes: await lockScopes(db, account), fromMs: Infinity }),
      )
      await foldChanged(account, now().getTime())
    },

    async listDuePnl({ limit }: { limit: number }): Promise<DuePnl[]> {
      await settleChanges(pool)
      return await duePnl({ db, midnight: new Date(startOfPeriod('daily', now().getTime())), limit })
    },

    async listDueSnapshots({ limit }: { limit: number }): Promise<DueSnapshot[]> {
      return await dueOf({ limit })
    },

    async writePortfolioSnapshots(due: DueSnapshot): Promise<number> {
      return await writeSnapshots({ pool, target: due, toMs: due.toMs, now: now(), onProgress })
    },
  }
}
