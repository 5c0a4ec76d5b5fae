import type pg from 'pg'
import type { ServedRow } from '../chain/served-row.ts'

interface WalletNetwork {
  walletId: string
  networkId: string
}

/** What the source of a `wallet.transaction` keeps, so that the event needs no row that may be gone by then. */
export interface TransactionPayload {
  /** false: the accounts know it, and its status has changed */
  first: boolean
  status: 'unconfirmed' | 'confirmed' | 'reorged'
  blockHash: string
  /** The block was old when the transaction was found. */
  late: boolean
  /** false: spam, or nothing known moves */
  identified: boolean
  row: ServedRow
}

/** Decimal texts. */
export interface BalancePayload {
  coinId: string
  amount: string
  previousAmount: string
}

export interface SyncedPayload {
  transactions: number
}

interface Place {
  blockNumber: number | null
  txHash: string | null
}

export type WalletEvent = Place &
  (
    | { kind: 'wallet.transaction'; payload: TransactionPayload }
    | { kind: 'wallet.balance'; payload: BalancePayload }
    | { kind: 'wallet.synced'; payload: SyncedPayload }
  )

/**
 * Whether what happens to a wallet on a network is news to anybody: an account watches it, and its history is
 * complete. Null: no. The block: everything up to it is beyond reorgs.
 */
export async function readWatch(
  client: pg.ClientBase,
  { walletId, networkId }: WalletNetwork,
): Promise<{ confirmedBlock: number } | null> {
  const { rows } = await client.query<{ confirmed_block: string }>(
    `select coalesce(sync.head_block, -1) - network.reorg_depth as confirmed_block
     from wallet_syncs as sync join networks as network on network.id = sync.network_id
     where sync.wallet_id = $1 and sync.network_id = $2 and sync.synced_at is not null and exists (
       select from event_watchers
       where wallet_id = $1 and (network_id is null or network_id = $2)
     )`,
    [walletId, networkId],
  )
  return rows[0] ? { confirmedBlock: Number(rows[0].confirmed_block) } : null
}

/**
 * Notes what happened to a watched wallet, in the transaction that makes it true. The publisher makes events
 * of it.
 */
export async function noteWalletEvents(
  client: pg.ClientBase,
  input: WalletNetwork & { events: readonly WalletEvent[] },
): Promise<void> {
  const { walletId, networkId, events } = input
  if (events.length === 0) return
  await client.query(
    `insert into event_sources (kind, wallet_id, network_id, block_number, tx_hash, payload)
     select kind, $1, $2, block_number, tx_hash, payload
     from unnest($3::text[], $4::bigint[], $5::text[], $6::jsonb[])
       with ordinality as event (kind, block_number, tx_hash, payload, position)
     order by position`,
    [
      walletId,
      networkId,
      events.map(({ kind }) => kind),
      events.map(({ blockNumber }) => blockNumber),
      events.map(({ txHash }) => txHash),
      events.map(({ payload }) => JSON.stringify(payload)),
    ],
  )
}
