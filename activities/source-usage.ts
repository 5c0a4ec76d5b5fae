import type pg from 'pg'
import type { Logger } from 'pino'
import { addUsage, readUsage } from '../db/sources/usage.ts'
import { createUsageCounts, dayOf } from './usage-counts.ts'
import type { UsageCounts } from './usage-counts.ts'

/** What sources spend of their allowances, counted together by all workers. */
export interface SourceUsage extends UsageCounts {
  /** Stores what is not stored yet, and reads what other workers have spent. */
  share: () => Promise<void>
  /** Shares for the last time. */
  close: () => Promise<void>
}

/** A worker that is killed forgets what it has spent since it last shared. */
const SHARED_MS = 60_000

/**
 * Counts in memory and shares with other workers at most once a minute, by two statements. A worker that spends
 * nothing neither writes nor reads.
 */
export function createSourceUsage(deps: {
  pool: pg.Pool
  now: () => Date
  log: Pick<Logger, 'warn'>
}): SourceUsage {
  const { pool, now, log } = deps
  const counts = createUsageCounts(now)
  let loading: Promise<void> | null = null
  let sharing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let sharedAtMs = -Infinity

  async function read(): Promise<void> {
    const day = dayOf(now())
    counts.noteRead({ day, spent: await readUsage(pool, day) })
    sharedAtMs = performance.now()
  }

  async function store(): Promise<void> {
    const usage = counts.unstored()
    if (usage.length > 0) await addUsage(pool, usage)
    counts.noteStored(usage)
    await read()
  }

  function share(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    sharing ??= store().finally(() => (sharing = null))
    return sharing
  }

  function shareLater(waitMs: number): void {
    timer ??= setTimeout(() => {
      timer = null
      share().catch((error: unknown) => {
        log.warn(
          { reason: String(error) },
          'what sources have spent could not be stored: tried again in a minute',
        )
        shareLater(SHARED_MS)
      })
    }, waitMs).unref()
  }

  return {
    count(spending) {
      counts.count(spending)
      // After a pause longer than a minute it is shared at once, because other workers may have spent meanwhile.
      const agoMs = sharing ? 0 : performance.now() - sharedAtMs
      shareLater(Math.max(0, SHARED_MS - agoMs))
    },
    spent: counts.spent,
    ready() {
      loading ??= read().catch((error: unknown) => {
        loading = null
        throw error
      })
      return loading
    },
    share,
    async close() {
      await sharing?.catch(() => {})
      if (timer) clearTimeout(timer)
      if (counts.unstored().length > 0) await share()
    },
  }
}
