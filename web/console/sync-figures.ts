import type { SyncProgress } from '../../db/chain/read-sync-progress.ts'
import { secondsLeft } from '../../db/values/seconds-left.ts'

/** What a sync has done since it was asked for. */
export interface SyncFigures {
  state: 'synced' | 'failed' | SyncProgress['stage']
  /** 0 to 1; null: the total is unknown. */
  share: number | null
  /** Transactions that it added, and all stored ones. */
  added: number
  rows: number
  rowsPerSecond: number
  /** null: it has ended, or nothing is known yet. */
  secondsLeft: number | null
  failure: string | null
}

const after = (instant: Date | null, since: Date) => instant !== null && instant >= since

/** `begun`: the stored transactions when it was asked for, at `since`. */
export function syncFigures(
  now: SyncProgress,
  { begun, since, at }: { begun: { rows: number }; since: Date; at: Date },
): SyncFigures {
  const isSynced = after(now.syncedAt, since)
  const isFailed = !isSynced && after(now.failedAt, since)
  const hasEnded = isSynced || isFailed
  const endedAt = isSynced ? now.syncedAt! : isFailed ? now.failedAt! : at
  const seconds = Math.max(0.001, (endedAt.getTime() - since.getTime()) / 1_000)
  const share = hasEnded ? 1 : now.share
  const added = Math.max(0, now.rows - begun.rows)
  return {
    state: isSynced ? 'synced' : isFailed ? 'failed' : now.stage,
    share,
    added,
    rows: now.rows,
    rowsPerSecond: added / seconds,
    secondsLeft: hasEnded ? null : secondsLeft(share, seconds),
    failure: isFailed ? now.failure : null,
  }
}

/** `12 rows a second` */
export const rateInWords = ({ rowsPerSecond }: Pick<SyncFigures, 'rowsPerSecond'>): string =>
  `${rowsPerSecond.toFixed(rowsPerSecond < 10 ? 1 : 0)} rows a second`
