import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { type ServedColumns, type ServedRow, servedRow } from './served-row.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdraw', 'approve', 'executed', 'balance', 'fee'] as const
type TransactionType = (typeof TRANSACTION_TYPES)[number]

/** A wallet on a network. */
export interface WalletNetwork {
  walletId: string
  networkId: string
}

export interface TransactionFilter {
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  types?: readonly TransactionType[] | undefined
  coinId?: string | undefined
  /** Hash of the transaction. */
  txId?: string | undefined
  hideUnidentifiedCoins: boolean
}

function conditions(filter: TransactionFilter): RawBuilder<boolean>[] {
  const { from, to, types, coinId, txId } = filter
  const all: RawBuilder<boolean>[] = []
  if (from) all.push(sql`row.at >= ${from}`)
  if (to) all.push(sql`row.at < ${to}`)
  if (types) all.push(sql`row.type = any(${[...types]}::text[])`)
  if (coinId !== undefined) all.push(sql`${coinId} = any(row.coin_ids)`)
  if (txId !== undefined) all.push(sql`row.hash = ${txId}`)
  if (filter.hideUnidentifiedCoins) all.push(sql`row.identified`)
  return all
}

/** Matching transactions of all given wallets in one list, newest first. */
export async function readTransactions(
  db: ReadonlyDb,
  query: { wallets: readonly WalletNetwork[]; filter: TransactionFilter; offset: number; limit: number },
): Promise<ServedRow[]> {
  const { wallets, filter, offset, limit } = query
  const matching = sql.join(
    [sql`row.wallet_id = wallet.id`, sql`row.network_id = wallet.network_id`, ...conditions(filter)],
    sql` and `,
  )
  // Each wallet contributes as many rows as could be on the page, in the order of its index.
  const rows = await readSql(
    db,
    sql<ServedColumns>`
      select row.main_coin_id, row.main_symbol, row.main_count, row.main_value_usd, row.fragment
      from unnest(${wallets.map(({ walletId }) => walletId)}::bigint[],
        ${wallets.map(({ networkId }) => networkId)}::text[]) as wallet (id, network_id)
      cross join lateral (
        select row.* from wallet_transactions as row where ${matching}
        order by row.at desc, row.tx_index desc, row.hash desc limit ${offset + limit}
      ) as row
      order by row.at desc, row.network_id desc, row.tx_index desc, row.hash desc, row.wallet_id desc
      limit ${limit} offset ${offset}`,
  )
  return rows.map(servedRow)
}

/**
 * Transactions by the index of their key, without deleted ones. The instants of keys are in whole
 * milliseconds.
 */
export async function readTransactionsByKey(
  db: ReadonlyDb,
  keys: readonly (WalletNetwork & { at: Date; hash: string })[],
): Promise<Map<number, ServedRow>> {
  if (keys.length === 0) return new Map()
  const rows = await readSql(
    db,
    sql<ServedColumns & { index: number }>`
      select position::integer - 1 as index, row.main_coin_id, row.main_symbol, row.main_count, row.main_value_usd,
        row.fragment
      from unnest(${keys.map(({ walletId }) => walletId)}::bigint[], ${keys.map(({ networkId }) => networkId)}::text[],
        ${keys.map(({ at }) => at)}::timestamptz[], ${keys.map(({ hash }) => hash)}::text[]) with ordinality
        as asked (wallet_id, network_id, at, hash, position)
      join wallet_transactions as row on row.wallet_id = asked.wallet_id and row.network_id = asked.network_id
        and row.at >= asked.at and row.at < asked.at + interval '1 millisecond' and row.hash = asked.hash`,
  )
  return new Map(rows.map((row) => [row.index, servedRow(row)]))
}
