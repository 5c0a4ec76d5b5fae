import type pg from 'pg'
import type { ServedRow } from '../chain/served-transaction.ts'

interface WalletNetwork {
  walletId: string
  networkId: string
}

/** What the source of a `wallet.transaction` keeps, so that the event needs no row that may be gone by then. */
export interface TransactionPayload {
  /** false: the accounts know it, and its status has changed */
  first: boolean
  /** A reorg took it from another block before: it is paid already. */
  again: boolean
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
 * Notes the transactions of watched wallets that a reorg takes, before their rows above `block` are deleted.
 * None of them was confirmed.
 */
export async function noteReorged(
  client: pg.ClientBase,
  { networkId, block }: { networkId: string; block: number },
): Promise<void> {
  await client.query(
    `with taken as (
       select row.* from wallet_transactions as row join wallet_syncs as sync using (wallet_id, network_id)
       where row.network_id = $1 and row.block_number > $2 and row.type <> 'balance' and sync.synced_at is not null
         and exists (
           select from event_watchers as watcher
           where watcher.wallet_id = row.wallet_id and (watcher.network_id is null or watcher.network_id = $1)
         )
     ), remembered as (
       insert into reorged_transactions (wallet_id, network_id, tx_hash)
       select wallet_id, network_id, hash from taken on conflict do nothing
     )
     insert into event_sources (kind, wallet_id, network_id, block_number, tx_hash, payload)
     select 'wallet.transaction', wallet_id, network_id, block_number, hash,
       jsonb_build_object('first', false, 'again', false, 'status', 'reorged', 'blockHash', block_hash, 'late', false,
         'identified', identified, 'row', jsonb_build_object('fragment', fragment, 'main',
           case when main_coin_id is not null then jsonb_build_object('coinId', main_coin_id,
             'symbol', coalesce(main_symbol, ''), 'count', coalesce(main_count, 0)::text,
             'valueUsd', main_value_usd::text) end))
     from taken order by at, tx_index`,
    [networkId, block],
  )
}

/** Those of the transactions of a wallet that a reorg took. They are forgotten, because they are there again. */
export async function takeReorged(
  client: pg.ClientBase,
  input: WalletNetwork & { hashes: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await client.query<{ tx_hash: string }>(
    `delete from reorged_transactions where wallet_id = $1 and network_id = $2 and tx_hash = any($3)
     returning tx_hash`,
    [input.walletId, input.networkId, input.hashes],
  )
  return new Set(rows.map((row) => row.tx_hash))
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
