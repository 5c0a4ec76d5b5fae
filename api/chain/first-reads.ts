import { type FirstSyncs, readAnswered, type WalletSyncKey } from '../../db/chain/first-syncs.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { ApiError } from '../errors.ts'
import { keyOfSync } from './synced-wallets.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Null on a replica: a first read needs the primary. */
    firstReads: FirstReads | null
  }
}

/** What the first read of a wallet may do: start its sync, and wait for its balances. */
export interface FirstReads {
  /** Throws 429 if the caller started as many syncs as it may. */
  start: (syncs: readonly WalletSyncKey[]) => Promise<void>
  /** Ends when all of them have balances or have failed, or after the longest wait. */
  wait: (syncs: readonly WalletSyncKey[]) => Promise<void>
}

export interface FirstReadLimits {
  waitMs: number
  /** Requests of one process that wait at a time. Beyond it a request does not wait. */
  waiting: number
  /** The same of one account. */
  waitingPerAsker: number
  /** Syncs that the reads of one account start in an hour. */
  startsPerHour: number
}

export const FIRST_READ_LIMITS = { waiting: 400, waitingPerAsker: 20, startsPerHour: 1_000 }

const POLL_MS = 150

interface Waiter {
  asker: string
  open: Map<string, WalletSyncKey>
  end: () => void
}

/**
 * First reads of one process. Waiting requests hold no connection: while there are any, one statement asks
 * for all of them. Notifications of Postgres would not pass a transaction pooler.
 */
export function createFirstReads(deps: {
  db: ReadonlyDb
  syncs: FirstSyncs
  limits: FirstReadLimits
}): (asker: string) => FirstReads {
  const { db, syncs: commands, limits } = deps
  const waiters = new Set<Waiter>()
  let isAsking = false

  async function ask(): Promise<void> {
    const open = new Map([...waiters].flatMap((waiter) => [...waiter.open]))
    const answered = await readAnswered(db, [...open.values()])
    for (const waiter of waiters) {
      for (const sync of answered) waiter.open.delete(keyOfSync(sync))
      if (waiter.open.size === 0) waiter.end()
    }
  }

  async function askWhileAnyWaits(): Promise<void> {
    if (isAsking) return
    isAsking = true
    while (waiters.size > 0) {
      // Without a database each request ends at its own time.
      await ask().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    isAsking = false
  }

  function wait(asker: string, syncs: readonly WalletSyncKey[]): Promise<void> {
    const own = [...waiters].filter((waiter) => waiter.asker === asker).length
    if (syncs.length === 0 || waiters.size >= limits.waiting || own >= limits.waitingPerAsker)
      return Promise.resolve()
    return new Promise((resolve) => {
      const open = new Map(syncs.map((sync) => [keyOfSync(sync), sync]))
      const waiter: Waiter = { asker, open, end }
      const timer = setTimeout(end, limits.waitMs)
      waiters.add(waiter)
      void askWhileAnyWaits()
      function end(): void {
        clearTimeout(timer)
        waiters.delete(waiter)
        resolve()
      }
    })
  }

  return (asker) => ({
    async start(syncs) {
      if (syncs.length === 0) return
      const { refused, retryAfterS } = await commands.ask({ asker, syncs, perHour: limits.startsPerHour })
      if (refused > 0 && refused === syncs.length) throw tooManyFirstReads(retryAfterS)
    },
    wait: (syncs) => wait(asker, syncs),
  })
}

const tooManyFirstReads = (retryAfterS: number) =>
  new ApiError(429, 'Too many wallets were read for the first time', { 'retry-after': String(retryAfterS) })
