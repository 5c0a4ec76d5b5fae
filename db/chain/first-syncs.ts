import type pg from 'pg'
import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface WalletSyncKey {
  address: string
  networkId: string
}

export interface FirstSyncs {
  /** Starts the syncs that nobody asked for before. `refused`: how many the limit of the asker did not allow. */
  ask: (asked: {
    /** Id of the account, or `gateway`. */
    asker: string
    syncs: readonly WalletSyncKey[]
    perHour: number
  }) => Promise<{ refused: number; retryAfterS: number }>
}

/** `pool` connects as a role that may execute `ask_first_syncs` and nothing else of the outbox. */
export function createFirstSyncs(pool: pg.Pool): FirstSyncs {
  return {
    async ask({ asker, syncs, perHour }) {
      const { rows } = await pool.query<{ refused: number; retry_s: number }>({
        name: 'ask_first_syncs',
        text: 'select refused, retry_s from ask_first_syncs($1, $2, $3, $4)',
        values: [
          asker,
          syncs.map(({ address }) => address),
          syncs.map(({ networkId }) => networkId),
          perHour,
        ],
      })
      const { refused, retry_s: retryAfterS } = rows[0]!
      return { refused, retryAfterS }
    },
  }
}

/** Those of the syncs that have stored balances, or whose first sync has failed. */
export async function readAnswered(
  db: ReadonlyDb,
  syncs: readonly WalletSyncKey[],
): Promise<WalletSyncKey[]> {
  return readSql(
    db,
    sql<WalletSyncKey>`
      select asked.address, asked.network_id as "networkId"
      from unnest(${syncs.map(({ address }) => address)}::text[],
        ${syncs.map(({ networkId }) => networkId)}::text[]) as asked (address, network_id)
      join wallets as wallet on wallet.address = asked.address
      join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = asked.network_id
      where coalesce(sync.synced_at, sync.balances_at, sync.failed_at) is not null`,
  )
}
