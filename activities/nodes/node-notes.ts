import type pg from 'pg'
import type { Logger } from 'pino'
import { noteCalls } from '../../db/sources/note-calls.ts'
import type { Calls } from '../../db/sources/note-calls.ts'

/** How nodes have answered, as operators see it of every source. */
export interface NodeNotes {
  /** `failure`: why calls had no usable answer; null: all had one */
  note: (of: { source: string; calls: number; failures: number; failure: string | null }) => void
}

/** A worker that is killed forgets the answers since it last stored them. */
const STORED_MS = 10_000

/** Followers call nodes several times a second, so the notes of ten seconds are stored by one statement. */
export function createNodeNotes({
  pool,
  now,
  log,
}: {
  pool: pg.Pool
  now: () => Date
  log: Pick<Logger, 'warn'>
}): NodeNotes & { store: () => Promise<void> } {
  let notes = new Map<string, Calls>()
  let timer: NodeJS.Timeout | null = null

  async function store(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const stored = [...notes.values()]
    notes = new Map()
    if (stored.length > 0) await noteCalls(pool, stored)
  }

  function storeLater(): void {
    timer ??= setTimeout(() => {
      store().catch((error: unknown) => {
        log.warn({ reason: String(error) }, 'the answers of nodes in the last seconds could not be stored')
      })
    }, STORED_MS).unref()
  }

  return {
    note({ source, calls, failures, failure }) {
      const before = notes.get(source)
      const at = now()
      notes.set(source, {
        source,
        calls: calls + (before?.calls ?? 0),
        failures: failures + (before?.failures ?? 0),
        succeededAt: failures < calls ? at : (before?.succeededAt ?? null),
        failedAt: failures > 0 ? at : (before?.failedAt ?? null),
        failure: failure ?? before?.failure ?? null,
      })
      storeLater()
    },
    store,
  }
}
