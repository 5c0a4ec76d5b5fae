import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'
import type { Ledger } from './ledgers.ts'

/** Where a listed transaction stands. */
export interface TransactionKey {
  /** index of its ledger */
  ledger: number
  at: Date
  /** of the connection's transaction; empty for others */
  kind: string
  /** hash, key of the venue, or id */
  key: string
}

export interface PageWindow {
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  offset: number
  limit: number
}

/** Rows of `cell` (a ledger within [lo, hi)), newest first, at most `count`. */
const rowsOf = (count: RawBuilder<unknown>) => sql`
  (select row.at, row.tx_index, '' as kind, row.hash as key from wallet_transactions as row
   where row.wallet_id = cell.wallet_id and row.network_id = cell.network_id and row.at >= cell.lo and row.at < cell.hi
     and (cell.coins = '{""}' or row.coin_ids && cell.coins)
   order by row.at desc, row.tx_index desc, row.hash desc limit ${count})
  union all
  (select row.at, 0, row.kind, row.key from exchange_transactions as row
   where row.connection_id = cell.connection_id and row.status = 'ok' and row.at >= cell.lo and row.at < cell.hi
     and (cell.coins = '{""}' or row.asset = any(cell.coins) or row.quote_asset = any(cell.coins))
   order by row.at desc, row.kind desc, row.key desc limit ${count})
  union all
  (select row.at, 0, '', row.id::text from manual_transactions as row
   where row.portfolio_id = cell.portfolio_id and row.at >= cell.lo and row.at < cell.hi
     and (cell.coins = '{""}' or row.coin_id = any(cell.coins))
   order by row.at desc, row.id desc limit ${count})`

/**
 * The keys of a page of several ledgers together, newest first. Days before the page are counted, not read, so that its
 * depth costs next to nothing; a day that the window cuts off is counted row by row, and so is one of a coin that has
 * several names in its ledger.
 */
export async function pageKeys(
  db: ReadonlyDb,
  ledgers: readonly Ledger[],
  { from, to, offset, limit }: PageWindow,
): Promise<TransactionKey[]> {
  const names = ledgers.flatMap((ledger, position) =>
    ledger.coins.map((coin) => ({ ...ledger, position, coin })),
  )
  if (names.length === 0) return []
  const end = sql`${offset + limit}::bigint`
  const start = from ?? new Date(0)
  const stop = to ?? new Date('9999-01-01')
  return readSql(
    db,
    sql<TransactionKey>`
      with asked as (
        select * from unnest(
          ${names.map(({ position }) => position)}::integer[], ${names.map(({ name }) => name)}::text[],
          ${names.map(({ walletId }) => walletId)}::bigint[], ${names.map(({ networkId }) => networkId)}::text[],
          ${names.map(({ connectionId }) => connectionId)}::uuid[],
          ${names.map(({ portfolioId }) => portfolioId)}::uuid[], ${names.map(({ coin }) => coin)}::text[]
        ) as name (position, ledger, wallet_id, network_id, connection_id, portfolio_id, coin)
      ), day as materialized (
        select position, wallet_id, network_id, connection_id, portfolio_id, day,
          array_agg(asked.coin) as coins, sum(rows) as rows,
          greatest(day::timestamp at time zone 'UTC', ${start}) as lo,
          least((day + 1)::timestamp at time zone 'UTC', ${stop}) as hi
        from asked cross join lateral (
          -- No day is empty: as many as there are rows up to the end of the page are enough.
          select day, rows from transaction_days as counted
          where counted.ledger = asked.ledger and counted.coin = asked.coin and rows > 0
            and day >= (${start}::timestamptz at time zone 'UTC')::date
            and day <= (${stop}::timestamptz at time zone 'UTC')::date
          order by day desc limit ${end}
        ) as counted
        group by position, wallet_id, network_id, connection_id, portfolio_id, day
      ), counted as (
        select *, case
          when hi - lo = interval '1 day' and cardinality(coins) = 1 then rows
          else (select count(*) from (${rowsOf(sql`null`)}) as inside) end as n
        from day as cell where lo < hi
      ), summed as (
        select *, sum(n) over (order by day desc) as upto, sum(n) over (partition by day) as of_day from counted
      ), picked as materialized (
        select *, upto - of_day as before from summed where upto - of_day < ${end} and upto > ${offset}
      )
      select position as ledger, row.at, row.kind, row.key
      from picked as cell cross join lateral (${rowsOf(sql`(${end} - cell.before)::bigint`)}) as row
      order by row.at desc, position desc, row.tx_index desc, row.kind desc, row.key desc
      limit ${limit} offset (${offset} - (select min(before) from picked))::bigint`,
  )
}
