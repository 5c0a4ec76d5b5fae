import type pg from 'pg'
import type { ServedRow } from '../chain/served-transaction.ts'

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

export type WalletEvent = Place & { walletId: string } & (
    | { kind: 'wallet.transaction'; payload: TransactionPayload }
    | { kind: 'wallet.balance'; payload: BalancePayload }
    | { kind: 'wallet.synced'; payload: SyncedPayload }
  )

/**
 * Those of the wallets of which it is news to anybody what happens to them on a network: an account watches
 * them, and their history is complete. The block of each: everything up to it is beyond reorgs.
 */
export async function readWatches(
  client: pg.ClientBase,
  { networkId, walletIds }: { networkId: string; walletIds: readonly string[] },
): Promise<Map<string, { settledBlock: number }>> {
  const { rows } = await client.query<{ wallet_id: string; settled: string }>(
    `select wallet_id, settled_block(network_id, head_block) as settled from wallet_syncs as sync
     where wallet_id = any($1) and network_id = $2 and synced_at is not null and exists (
       select from event_watchers as watcher
       where watcher.wallet_id = sync.wallet_id and (watcher.network_id = $2
         or watcher.network_id is null and (select in_all from networks where id = $2))
     )`,
    [walletIds, networkId],
  )
  return new Map(rows.map(({ wallet_id, settled }) => [wallet_id, { settledBlock: Number(settled) }]))
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
         and (watcher.network_id = row.network_id
           or watcher.network_id is null and (select in_all from networks where id = row.network_id))
     )
     order by at, tx_index`,
    values,
  )
}

/** Remembers that a reorg may still take these transactions of watched wallets. */
export async function noteUnconfirmed(
  client: pg.ClientBase,
  input: {
    networkId: string
    transactions: readonly { walletId: string; hash: string; blockNumber: number; late: boolean }[]
  },
): Promise<void> {
  const { networkId, transactions } = input
  if (transactions.length === 0) return
  await client.query(
    `insert into unconfirmed_transactions (network_id, wallet_id, tx_hash, block_number, late)
     select $1, * from unnest($2::bigint[], $3::text[], $4::bigint[], $5::boolean[])
     order by 1, 2, 3
     on conflict (network_id, wallet_id, tx_hash) do update
       set block_number = excluded.block_number, late = excluded.late`,
    [
      networkId,
      transactions.map(({ walletId }) => walletId),
      transactions.map(({ hash }) => hash),
      transactions.map(({ blockNumber }) => blockNumber),
      transactions.map(({ late }) => late),
    ],
  )
}

/**
 * Notes what happened to watched wallets, in the transaction that makes it true. The publisher makes events
 * of it.
 */
export async function noteWalletEvents(
  client: pg.ClientBase,
  { networkId, events }: { networkId: string; events: readonly WalletEvent[] },
): Promise<void> {
  if (events.length === 0) return
  await client.query(
    `insert into event_sources (kind, wallet_id, network_id, block_number, tx_hash, payload)
     select kind, wallet_id, $1, block_number, tx_hash, payload
     from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::jsonb[])
       with ordinality as event (kind, wallet_id, block_number, tx_hash, payload, position)
     order by position`,
    [
      networkId,
      events.map(({ kind }) => kind),
      events.map(({ walletId }) => walletId),
      events.map(({ blockNumber }) => blockNumber),
      events.map(({ txHash }) => txHash),
      events.map(({ payload }) => JSON.stringify(payload)),
    ],
  )
}
