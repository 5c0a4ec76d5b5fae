import type pg from 'pg'
import { EVENT_LIMITS } from './plan-limits.ts'

/** Drops what is older than its account's plan keeps, and rows whose time is over. Returns how many events and whole days are gone. */
export async function dropOldEvents(pool: pg.Pool): Promise<number> {
  const plans = Object.entries(EVENT_LIMITS)
  const { rows } = await pool.query<{ gone: number }>('select drop_old_events($1, $2) as gone', [
    plans.map(([plan]) => plan),
    plans.map(([, { days }]) => days),
  ])
  return rows[0]!.gone
}
