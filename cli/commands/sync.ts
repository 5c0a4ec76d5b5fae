import { setTimeout as sleep } from 'node:timers/promises'
import { userInfo } from 'node:os'
import type { SyncProgress } from '../../db/chain/read-sync-progress.ts'
import { orderSync } from '../../db/console/order-sync.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { rateInWords, syncFigures } from '../../web/console/sync-figures.ts'
import { NothingToSync, type SyncTarget, syncTargets } from '../../web/console/sync-targets.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { toJson } from '../print.ts'
import { createProgress } from '../progress.ts'
import type { SYNC } from '../specs/data.ts'

const POLL_MS = 500
/** After this time without a worker that took the sync, a warning is printed. */
const TAKEN_MS = 15_000

interface Running extends SyncTarget {
  before: SyncProgress
  since: Date
}

/** Returns exit code 1 when a sync fails. After Ctrl-C the syncs go on in the worker. */
export function run(given: Given<typeof SYNC>): Promise<number> {
  return withOperatorDatabase(async (db) => {
    const served = db as unknown as ReadonlyDb
    const targets = await syncTargets({ db, served }, given).catch((error: unknown) => {
      if (!(error instanceof NothingToSync)) throw error
      throw error.isTyped ? new UsageError(error.message) : new CommandError(error.message)
    })
    const running = await Promise.all(targets.map((target) => begin(db, target)))
    if (given['no-wait']) {
      const names = running.map(({ name }) => name)
      console.log(
        given.json ? toJson({ asked: names }) : `requested: ${names.join(', ')}; see "sluice status"`,
      )
      return 0
    }
    const results = await watch(running)
    if (given.json) console.log(toJson(results))
    else for (const result of results) console.log(lineOf(result))
    return results.every(({ failure }) => failure === null) ? 0 : 1
  })
}

async function begin(db: Db, target: SyncTarget): Promise<Running> {
  const before = await target.read({ fromCursor: null, since: new Date() })
  const since = await orderSync(db, { subject: target.subject, operator: userInfo().username })
  return { ...target, before, since }
}

/** Waits until every sync has ended. */
async function watch(running: readonly Running[]): Promise<Result[]> {
  const progress = createProgress()
  const startMs = Date.now()
  let warned = false
  try {
    for (;;) {
      const states = await Promise.all(
        running.map(async (one) => ({
          one,
          now: await one.read({ fromCursor: one.before.cursor, since: one.since }),
        })),
      )
      if (states.every(({ one, now }) => isDone(one, now)))
        return states.map(({ one, now }) => resultOf(one, now))
      const shares = states.map(({ one, now }) => (isDone(one, now) ? 1 : now.share))
      const open = states.filter(({ one, now }) => !isDone(one, now))
      const text = open.map(({ one, now }) => lineOfOpen(one, now)).join('; ')
      const known = shares.filter((share) => share !== null)
      progress.show(known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / shares.length, text)
      if (!warned && Date.now() - startMs > TAKEN_MS && open.some(({ now }) => !now.taken)) {
        warned = true
        console.error('sluice: no worker has taken the sync yet; it waits in the outbox: see "sluice doctor"')
      }
      await sleep(POLL_MS)
    }
  } finally {
    progress.end()
  }
}

function lineOfOpen({ name, before, since }: Running, now: SyncProgress): string {
  const figures = syncFigures(now, { begun: before, since, at: new Date() })
  return `${name}: ${figures.state}, ${figures.rows} rows, ${rateInWords(figures)}`
}

const after = (instant: Date | null, since: Date) => instant !== null && instant >= since

const isDone = ({ since }: Running, { syncedAt, failedAt }: SyncProgress) =>
  after(syncedAt, since) || after(failedAt, since)

interface Result {
  name: string
  /** New transactions, and all stored ones. */
  added: number
  rows: number
  /** Cursor before the sync; null: it is the first sync. */
  from: string | null
  to: string | null
  failure: string | null
}

function resultOf({ name, before, since }: Running, now: SyncProgress): Result {
  const failure = after(now.syncedAt, since) ? null : now.failure
  return { name, added: now.rows - before.rows, rows: now.rows, from: before.cursor, to: now.cursor, failure }
}

/** A second sync usually finds nothing, which is not a failure. */
function lineOf({ name, added, rows, from, to, failure }: Result): string {
  if (failure !== null) return `${name}: failed: ${failure}`
  if (added === 0 && from !== null) return `${name}: nothing new since ${from}; ${rows} in total, up to ${to}`
  return `${name}: ${added} new, ${rows} in total, up to ${to ?? 'now'}`
}
