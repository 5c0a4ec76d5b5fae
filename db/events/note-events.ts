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
): Promise<{ settledBlock: number } | null> {
  const { rows } = await client.query<{ settled: string }>(
    `select settled_block(network_id, head_block) as settled from wallet_syncs
     where wallet_id = $1 and network_id = $2 and synced_at is not null and exists (
       select from event_watchers
       where wallet_id = $1 and (network_id is null or network_id = $2)
     )`,
    [walletId, networkId],
  )
  return rows[0] ? { settledBlock: Number(rows[0].settled) } : null
}

/**
 * Notes the transactions of watched wallets that a reorg takes, before their rows above `block` are deleted. A
 * confirmed one is never among them.
 */
export async function noteReorged(
  client: pg.ClientBase,
  { networkId, block }: { networkId: string; block: number },
): Promise<void> {
  await endUnconfirmed(client, {
    status: 'reorged',
    which: 'network_id = $1 and block_number > $2',
    values: [networkId, block],
  })
}

/** Notes the transactions of watched wallets that settled blocks confirm: of all wallets, or of one. */
export async function noteConfirmed(
  client: pg.ClientBase,
  input: { networkId: string; walletId: string | null; settledBlock: number },
): Promise<void> {
  await endUnconfirmed(client, {
    status: 'confirmed',
    which: 'network_id = $1 and block_number <= $2 and ($3::bigint is null or wallet_id = $3)',
    values: [input.networkId, input.settledBlock, input.walletId],
  })
}

/** Tells once of each unconfirmed transaction what became of it. */
async function endUnconfirmed(
  client: pg.ClientBase,
  { status, which, values }: { status: 'confirmed' | 'reorged'; which: string; values: unknown[] },
): Promise<void> {
  await client.query(
    `with ended as (
       delete from unconfirmed_transactions as gone using (
         select * from unconfirmed_transactions where ${which} order by wallet_id, tx_hash for update
       ) as found
       where gone.network_id = found.network_id and gone.wallet_id = found.wallet_id
         and gone.tx_hash = found.tx_hash
       returning gone.*
     )
     insert into event_sources (kind, wallet_id, network_id, block_number, tx_hash, payload)
     select 'wallet.transaction', wallet_id, network_id, block_number, hash,
       jsonb_build_object('first', false, 'status', '${status}', 'blockHash', block_hash, 'late', ended.late,
         'identified', identified, 'row', jsonb_build_object('fragment', fragment, 'main',
           case when main_coin_id is not null then jsonb_build_object('coinId', main_coin_id,
             'symbol', coalesce(main_symbol, ''), 'count', coalesce(main_count, 0)::text,
             'valueUsd', main_value_usd::text) end))
     from wallet_transactions as row join ended using (network_id, wallet_id, block_number)
     where hash = tx_hash and type <> 'balance' and exists (
       select from event_watchers as watcher
       where watcher.wallet_id = row.wallet_id
         and (watcher.network_id is null or watcher.network_id = row.network_id)
     )
     order by at, tx_index`,
    values,
  )
}

/** Remembers that a reorg may still take these transactions of a watched wallet. */
export async function noteUnconfirmed(
  client: pg.ClientBase,
  input: WalletNetwork & { transactions: readonly { hash: string; blockNumber: number; late: boolean }[] },
): Promise<void> {
  const { walletId, networkId, transactions } = input
  if (transactions.length === 0) return
  await client.query(
    `insert into unconfirmed_transactions (network_id, wallet_id, tx_hash, block_number, late)
     select $1, $2, * from unnest($3::text[], $4::bigint[], $5::boolean[])
     on conflict (network_id, wallet_id, tx_hash) do update
       set block_number = excluded.block_number, late = excluded.late`,
    [
      networkId,
      walletId,
      transactions.map(({ hash }) => hash),
      transactions.map(({ blockNumber }) => blockNumber),
      transactions.map(({ late }) => late),
    ],
  )
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
