import { sql } from 'kysely'
import type pg from 'pg'
import { copyRows, type CopyValue } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import { transact } from '../transact.ts'
import type { ExchangeTransaction } from './tables.ts'

/** The cursor of one list of an exchange. */
export interface StreamCursor<Position> {
  stream: string
  /** Empty for a list over all symbols. */
  symbol: string
  position: Position
  rows: number
  completeAt: Date | null
}

/** A fill or transfer as an adapter returns it. Amounts are decimal text. */
export type TransactionRow = Pick<
  ExchangeTransaction,
  | 'kind'
  | 'key'
  | 'at'
  | 'status'
  | 'type'
  | 'symbol'
  | 'order_id'
  | 'asset'
  | 'amount'
  | 'quote_asset'
  | 'quote_amount'
  | 'fee_asset'
  | 'fee_amount'
  | 'network'
  | 'address'
  | 'tx_hash'
> &
  Partial<Pick<ExchangeTransaction, 'role' | 'unknown_kind'>>

export async function readCursors<Position>(
  pool: pg.Pool,
  connectionId: string,
): Promise<StreamCursor<Position>[]> {
  const { rows } = await pool.query<{
    stream: string
    symbol: string
    position: Position
    rows: string
    complete_at: Date | null
  }>('select stream, symbol, position, rows, complete_at from exchange_cursors where connection_id = $1', [
    connectionId,
  ])
  return rows.map(({ complete_at, rows: count, ...cursor }) => ({
    ...cursor,
    rows: Number(count),
    completeAt: complete_at,
  }))
}

const FACTS = [
  'role',
  'unknown_kind',
  'at',
  'status',
  'type',
  'symbol',
  'order_id',
  'asset',
  'amount',
  'quote_asset',
  'quote_amount',
  'fee_asset',
  'fee_amount',
  'network',
  'address',
  'tx_hash',
] as const
const KEY = ['connection_id', 'kind', 'key']
const COLUMNS = [...KEY, ...FACTS, 'derived', 'source', 'fetched_at']

interface Stored {
  connectionId: string
  source: string
  fetchedAt: Date
  rows: readonly TransactionRow[]
}

/** Rows for COPY, marked as not derived. */
const rowsToCopy = ({ connectionId, source, fetchedAt, rows }: Stored) => ({
  table: 'exchange_transactions',
  columns: COLUMNS,
  rows: rows.map((row): CopyValue[] => [
    connectionId,
    row.kind,
    row.key,
    ...FACTS.map((name): CopyValue => row[name] ?? null),
    false,
    source,
    fetchedAt,
  ]),
  key: KEY,
})

/**
 * Stores transactions from another source than the exchange's API. Stored transactions with the same key stay
 * unchanged, so each counts once whichever source comes first. Returns the number of new rows.
 */
export const importTransactions = (client: pg.ClientBase, input: Stored): Promise<number> =>
  copyRows(client, rowsToCopy(input))

/**
 * Stores the rows of a page together with the cursor. Rows that are stored already are updated. `before`: position of
 * the cursor when the page was read; null: there was none. A cursor that has changed since then stays as it is.
 */
export async function storePage(
  pool: pg.Pool,
  input: Stored & { cursor: Omit<StreamCursor<unknown>, 'rows'>; before: unknown },
): Promise<{ changed: number }> {
  const { connectionId, cursor, before, rows } = input
  return transact(pool, async ({ client }) => {
    // Waits while legs are derived: a row changed in between would count as derived.
    await client.query('select from exchange_connections where id = $1 for key share', [connectionId])
    const changed =
      rows.length === 0
        ? 0
        : await copyRows(client, {
            ...rowsToCopy(input),
            update: FACTS,
            // Legs of a changed row must be derived again.
            stamp: ['derived', 'source', 'fetched_at'],
          })
    await client.query(
      before === null
        ? `insert into exchange_cursors (connection_id, stream, symbol, position, rows, complete_at)
           values ($1, $2, $3, $4, $5, $6) on conflict do nothing`
        : `update exchange_cursors set position = $4, rows = rows + $5, complete_at = coalesce($6, complete_at)
           where connection_id = $1 and stream = $2 and symbol = $3 and position = $7`,
      [
        connectionId,
        cursor.stream,
        cursor.symbol,
        JSON.stringify(cursor.position),
        changed,
        cursor.completeAt,
        ...(before === null ? [] : [JSON.stringify(before)]),
      ],
    )
    return { changed }
  })
}

/**
 * Lets the next sync of each account at an exchange read all lists from their starts. What is stored stays. Returns
 * the number of accounts.
 */
export async function readAgain(db: Db, exchange: string): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    with account as (
      select id from exchange_connections where venue = ${exchange}
    ), forgotten as (
      delete from exchange_cursors using account where connection_id = account.id
    )
    select count(*)::int as accounts from account`.execute(db)
  return rows[0]!.accounts
}
