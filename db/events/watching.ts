import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { WATCH_DAYS } from './plan-limits.ts'

/** What readers of events change: whom they watch, and the tickets of browsers. */
export interface Watching {
  /** Null: all wallets of the account's portfolios, all types. False: too many wallets. */
  watch: (asked: {
    accountId: string
    addresses: readonly string[] | null
    types: readonly string[] | null
    mostWallets: number
  }) => Promise<boolean>
  openTicket: (accountId: string) => Promise<{ ticket: string; expiresAt: Date }>
  /** Account of an unused ticket; null: it opens nothing. */
  useTicket: (ticket: string) => Promise<string | null>
}

const hashOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest()

/** `pool` connects as role `meter`, which may execute these functions and read none of the tables. */
export function createWatching(pool: pg.Pool): Watching {
  return {
    async watch({ accountId, addresses, types, mostWallets }) {
      const { rows } = await pool.query<{ fits: boolean }>({
        name: 'watch_events',
        text: 'select watch_events($1, $2, $3, $4, make_interval(days => $5)) as fits',
        values: [accountId, addresses, types && [...types].sort(), mostWallets, WATCH_DAYS],
      })
      return rows[0]!.fits
    },
    async openTicket(accountId) {
      const ticket = `evk_${randomBytes(32).toString('base64url')}`
      const { rows } = await pool.query<{ expires_at: Date }>({
        name: 'keep_event_ticket',
        text: 'select keep_event_ticket($1, $2) as expires_at',
        values: [hashOf(ticket), accountId],
      })
      return { ticket, expiresAt: rows[0]!.expires_at }
    },
    async useTicket(ticket) {
      const { rows } = await pool.query<{ account_id: string | null }>({
        name: 'use_event_ticket',
        text: 'select use_event_ticket($1) as account_id',
        values: [hashOf(ticket)],
      })
      return rows[0]?.account_id ?? null
    },
  }
}
