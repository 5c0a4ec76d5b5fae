import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../db/connect.ts'
import { openingBalances } from '../../db/pnl/opening-balances.ts'
import type { FirstPrices } from '../../db/pnl/measured-legs.ts'
import { lockSyncToReprice, repriceMovements } from '../../db/pnl/reprice-movements.ts'
import type { PlState } from '../../db/pnl/tables.ts'
import { deleteDaysOutside, writeDays } from '../../db/pnl/write-days.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { computeWindow } from './compute-window.ts'
import { rematchTransfers } from './rematch-transfers.ts'

/** Bounds the memory: movements and prices are held for one window at a time. */
const WINDOW_DAYS = 32

export interface RecomputeResult {
  /** first instant whose day was computed again; null when the wallet has no history on the network */
  fromMs: number | null
  days: number
  revision: string
}

/**
 * Brings the P&L days of a wallet on a network up to the last midnight, from the day of its earliest change on.
 * Doing it twice, or from an earlier day, gives the same rows to the last digit. One transaction, which holds the row of
 * `pl_states`: a change that comes meanwhile marks it again after the commit.
 */
export async function recomputeWallet(input: {
  pool: pg.Pool
  walletId: string
  networkId: string
  nowMs: number
  onProgress?: (dayMs: number) => void
}): Promise<RecomputeResult> {
  const { walletId, networkId } = input
  return transact(input.pool, async ({ db, client }) => {
    await lockSyncToReprice({ db, walletId, networkId })
    const state = await lockState({ db, walletId, networkId })
    const toMs = startOfPeriod('daily', input.nowMs)
    const historyMs = await firstMovement({ db, walletId, networkId })
    // A price at midnight also values the day that ends there, so a change at midnight begins with that day.
    const dirtyMs = state.dirtyFromMs === null ? Infinity : state.dirtyFromMs - 1
    const changedMs = Math.min(dirtyMs, state.computedToMs ?? -Infinity)
    const changedDayMs =
      changedMs === -Infinity ? -Infinity : startOfPeriod('daily', Math.min(changedMs, toMs))
    const scope = { client, walletId, networkId }

    if (state.repricedFrom) await repriceMovements({ db, walletId, networkId, from: state.repricedFrom })
    const startMs = historyMs === null ? null : Math.max(startOfPeriod('daily', historyMs), changedDayMs)
    const afterMs = changedDayMs === -Infinity ? 0 : changedDayMs
    await deleteDaysOutside({ ...scope, afterMs, fromMs: startMs ?? toMs, toMs })
    if (startMs !== null) {
      const balances = await openingBalances({ db, walletId, networkId, atMs: startMs })
      const firsts: FirstPrices = { fromMs: startMs, byCoin: new Map() }
      for (let fromMs = startMs; fromMs < toMs; fromMs += WINDOW_DAYS * DAY_MS) {
        const endMs = Math.min(fromMs + WINDOW_DAYS * DAY_MS, toMs)
        const days = await computeWindow({ db, walletId, networkId, fromMs, toMs: endMs, balances, firsts })
        await writeDays({ ...scope, afterMs: fromMs, days })
        input.onProgress?.(endMs)
      }
    }
    await rematchTransfers({ db, walletId, fromMs: changedMs })
    const { rows } = await sql<{ revision: string }>`
      update pl_states set dirty_from = null, repriced_from = null, computed_to = ${new Date(toMs)}, revision = revision + 1
      where wallet_id = ${walletId} and network_id = ${networkId} returning revision`.execute(db)
    const days = startMs === null ? 0 : Math.max(0, (toMs - startMs) / DAY_MS)
    return { fromMs: startMs, days, revision: rows[0]!.revision }
  })
}

interface Scope {
  db: Db
  walletId: string
  networkId: string
}

async function lockState({ db, walletId, networkId }: Scope) {
  // The update changes nothing and takes the lock of a row that was there already.
  const { rows } = await sql<Pick<PlState, 'dirty_from' | 'computed_to' | 'repriced_from'>>`
    insert into pl_states (wallet_id, network_id) values (${walletId}, ${networkId})
    on conflict (wallet_id, network_id) do update set revision = pl_states.revision
    returning dirty_from, computed_to, repriced_from`.execute(db)
  const { dirty_from, computed_to, repriced_from: repricedFrom } = rows[0]!
  return {
    dirtyFromMs: dirty_from?.getTime() ?? null,
    computedToMs: computed_to?.getTime() ?? null,
    repricedFrom,
  }
}

async function firstMovement({ db, walletId, networkId }: Scope): Promise<number | null> {
  const { rows } = await sql<{ at: Date }>`select at from movements
    where wallet_id = ${walletId} and network_id = ${networkId} and role <> 'spam'
    order by at limit 1`.execute(db)
  return rows[0]?.at.getTime() ?? null
}
