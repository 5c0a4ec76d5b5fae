import { heartbeat } from '@temporalio/activity'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import { dueAccounts, dueBooks } from '../../db/pnl/periods/due-books.ts'
import { settleChanges } from '../../db/pnl/valuation/price-changes.ts'
import { type Change, lockScopes } from '../../db/pnl/scopes.ts'
import { dueSnapshots, type SnapshotTarget } from '../../db/portfolios/write-snapshots.ts'
import { transact } from '../../db/transact.ts'
import { HOUR_MS, startOfPeriod } from '../../db/values/periods.ts'
import { computeLoop, type PnlDeps } from './compute-loop.ts'
import { attemptAll } from '../many-items.ts'
import { foldChanges } from './fold-scope.ts'
import { recomputeBook, recomputeBooks } from './recompute-books.ts'
import { settleScopes } from './settle-scopes.ts'
import { writeSnapshots } from './write-snapshots.ts'

/** Time after a midnight by which its prices are stored. */
const PRICES_SETTLE_MS = HOUR_MS
/** A manual portfolio counts as complete when its owner has entered nothing for this long. */
const STATING_MS = HOUR_MS

/** Most portfolios that get snapshots right after a change; the schedule writes the rest. */
const MAX_SNAPSHOTS = 50
/** Most failures that a result lists. */
const MOST_FAILURES = 20

/** `toMs`: the last midnight to write. */
type DueSnapshot = SnapshotTarget & { toMs: number }

/** What one activity did of the P&L that is due. */
export interface RecomputedPnl {
  computed: number
  failed: number
  /** the first failures: what and why */
  failures: string[]
  /** Continue after this book; null: nothing is left. */
  nextId: string | null
}

export type PnlActivities = ReturnType<typeof createPnlActivities>

/** P&L of books and of whole accounts. Every activity is idempotent. */
export function createPnlActivities(deps: PnlDeps) {
  const { db, pool, now } = deps
  const onProgress = (instantMs: number) => heartbeat(instantMs)
  /** Writes the snapshots of a portfolio that is computed for the first time. */
  const writeFirstSnapshots = async (change: Change): Promise<void> => {
    for (const due of await dueOf({ limit: MAX_SNAPSHOTS, of: change }))
      await writeSnapshots({ pool, target: due, toMs: due.toMs, now: now(), onProgress })
  }
  const foldChanged = async (change: Change, nowMs: number): Promise<void> => {
    await foldChanges({ db, pool, change, nowMs, onProgress })
    await writeFirstSnapshots(change)
  }
  const refreshAccount = async (account: { accountId: string }): Promise<void> => {
    await transact(pool, async ({ db }) =>
      settleScopes({ db, scopes: await lockScopes(db, account), fromMs: Infinity }),
    )
    await foldChanged(account, now().getTime())
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

    /** Computes the P&L of followed wallets for about an hour, as their transactions come. */
    async computeChangedPnl(): Promise<void> {
      await computeLoop(deps)
    },

    /** Runs after the account's portfolios or their cost method changed. */
    refreshAccountPnl: refreshAccount,

    /**
     * Computes up to `limit` books that are due, after a book of an earlier call, and after the last one the accounts
     * that are. What fails is due again in the next round.
     */
    async recomputeDuePnl({
      afterId,
      limit,
    }: {
      afterId: string | null
      limit: number
    }): Promise<RecomputedPnl> {
      if (afterId === null) await settleChanges(pool)
      const nowMs = now().getTime()
      const midnight = new Date(startOfPeriod('daily', nowMs))
      const failures: string[] = []
      const onFailure = (what: string, error: unknown): void => {
        failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      }
      const due = await dueBooks({ db, midnight, afterId: afterId ?? '0', limit: limit + 1 })
      const books = due.slice(0, limit)
      const isLast = due.length === books.length
      const { computed, changed } = await recomputeBooks({ db, pool, books, nowMs, onProgress, onFailure })
      await attemptAll(changed, {
        nameOf: ({ id }) => `snapshots of book ${id}`,
        work: ({ id }) => writeFirstSnapshots({ bookId: id }),
        onFailure,
      })
      const settled = await attemptAll(isLast ? await dueAccounts({ db, limit }) : [], {
        nameOf: ({ accountId }) => `account ${accountId}`,
        work: refreshAccount,
        onFailure,
      })
      return {
        computed: computed + settled,
        failed: failures.length,
        failures: failures.slice(0, MOST_FAILURES),
        nextId: isLast ? null : books.at(-1)!.id,
      }
    },

    async listDueSnapshots({ limit }: { limit: number }): Promise<DueSnapshot[]> {
      return await dueOf({ limit })
    },

    async writePortfolioSnapshots(due: DueSnapshot): Promise<number> {
      return await writeSnapshots({ pool, target: due, toMs: due.toMs, now: now(), onProgress })
    },
  }
}
