import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { Ledger } from './ledgers.ts'

/** Identifies a listed transaction. */
export interface TransactionKey {
  /** index of its ledger */
  ledger: number
  at: Date
  /** `at` as the database has it, to the microsecond */
  instant: string
  /** position in its block; 0 for those that are not of a wallet */
  txIndex: number
  /** kind of an exchange transaction; empty for others */
  kind: string
  /** hash, key of the exchange, or id */
  key: string
}

export interface PageWindow {
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  /** Rows that are older than this one, which may be gone. The ledgers are those of its page. */
  after?: TransactionKey | undefined
  offset: number
  limit: number
}

/** Rows of `ledger` within [lo, hi) of `day` and older than `after`, newest first, at most `count`. */
const rowsOf = (count: RawBuilder<unknown>, after: PageWindow['after']) => sql`
  (select row.at, row.tx_index, '' as kind, row.hash as key from wallet_transactions as row
   where row.wallet_id = ledger.wallet_id and row.network_id = ledger.network_id and row.at >= day.lo and row.at < day.hi
     ${olderThan(after, sql`row.tx_index, '', row.hash`)}
     and (ledger.coins = '{""}' or row.coin_ids && ledger.coins)
   order by row.at desc, row.tx_index desc, row.hash desc limit ${count})
  union all
  (select row.at, 0, row.kind, row.key from exchange_transactions as row
   where row.connection_id = ledger.connection_id and row.status = 'ok' and row.at >= day.lo and row.at < day.hi
     ${olderThan(after, sql`0, row.kind, row.key`)}
     and (ledger.coins = '{""}' or row.asset = any(ledger.coins) or row.quote_asset = any(ledger.coins))
   order by row.at desc, row.kind desc, row.key desc limit ${count})
  union all
  (select row.at, 0, '', row.id::text from manual_transactions as row
   where row.portfolio_id = ledger.portfolio_id and row.at >= day.lo and row.at < day.hi
     ${olderThan(after, sql`0, '', row.id::text`)}
     and (ledger.coins = '{""}' or row.coin_id = any(ledger.coins))
   order by row.at desc, row.id desc limit ${count})`

/** `rest`: the columns of the order that follow instant and ledger. */
const olderThan = (after: PageWindow['after'], rest: RawBuilder<unknown>) =>
  after
    ? sql`and (row.at, ledger.position, ${rest})
        < (${after.instant}::timestamptz, ${after.ledger + 1}::bigint, ${after.txIndex}::integer, ${after.kind}, ${after.key})`
    : sql``

/**
 * The keys of one page over several ledgers, newest first. Stored counts replace reading the days before the
 * page, so that a deep page costs hardly more. Days that the window cuts are counted row by row.
 */
export async function pageKeys(
  db: ReadonlyDb,
  ledgers: readonly Ledger[],
  { from, to, after, offset, limit }: PageWindow,
): Promise<TransactionKey[]> {
  const counts = ledgers.flatMap(countsOf)
  if (counts.length === 0) return []
  const end = sql`${offset + limit}::bigint`
  const start = sql`${from ?? new Date(0)}::timestamptz`
  const stop = after
    ? sql`(${after.instant}::timestamptz + interval '1 microsecond')`
    : sql`${to ?? new Date('9999-01-01')}::timestamptz`
  return readSql(
    db,
    sql<TransactionKey>`
      with count as (
        select * from unnest(
          ${counts.map(({ position }) => position)}::integer[], ${counts.map(({ name }) => name)}::text[],
          ${counts.map(({ coin }) => coin)}::text[], ${counts.map(({ sign }) => sign)}::integer[]
        ) as count (position, ledger, coin, sign)
      ), ledger as materialized (
        select owner.*, (select array_agg(coin) from count where count.position = owner.position and sign > 0) as coins
        from unnest(
          ${ledgers.map(({ walletId }) => walletId)}::bigint[], ${ledgers.map(({ networkId }) => networkId)}::text[],
          ${ledgers.map(({ connectionId }) => connectionId)}::uuid[],
          ${ledgers.map(({ portfolioId }) => portfolioId)}::uuid[]
        ) with ordinality as owner (wallet_id, network_id, connection_id, portfolio_id, position)
      ), dated as (
        select date, sum(count.sign * counted.rows) as rows,
          greatest(date::timestamp at time zone 'UTC', ${start}) as lo,
          least((date + 1)::timestamp at time zone 'UTC', ${stop}) as hi
        from count cross join lateral (
          -- Every day has rows, so as many days as the page ends at rows are enough; of the newest, all rows may be
          -- newer than the window.
          select day as date, rows from transaction_days as stored
          where stored.ledger = count.ledger and stored.coin = count.coin and stored.rows > 0
            and day >= (${start} at time zone 'UTC')::date and day <= (${stop} at time zone 'UTC')::date
          order by day desc limit ${end} + 1
        ) as counted
        group by date
      ), exact as (
        select date, lo, hi, case when hi - lo = interval '1 day' ${after ? sql`and hi <> ${stop}` : sql``} then rows
          else (select count(*) from ledger cross join lateral (${rowsOf(sql`null`, after)}) as inside) end as rows
        from dated as day where lo < hi
      ), summed as (
        select *, sum(rows) over (order by date desc) as upto from exact
      ), day as materialized (
        select *, upto - rows as before from summed where upto - rows < ${end} and upto > ${offset}
      )
      select ledger.position::integer - 1 as ledger, row.at, row.at::text as instant, row.tx_index as "txIndex",
        row.kind, row.key
      from day cross join ledger cross join lateral (${rowsOf(sql`(${end} - day.before)::bigint`, after)}) as row
      order by row.at desc, ledger.position desc, row.tx_index desc, row.kind desc, row.key desc
      limit ${limit} offset (${offset} - (select min(before) from day))::bigint`,
  )
}

/**
 * Counts that add up to those of a ledger. A transaction between two names of one coin is counted under both,
 * so the count of their pair is subtracted.
 */
function countsOf({ name, coins }: Ledger, index: number) {
  const position = index + 1
  const pairs = coins.flatMap((one) => coins.flatMap((other) => (one === other ? [] : [`${one}/${other}`])))
  return [
    ...coins.map((coin) => ({ position, name, coin, sign: 1 })),
    ...pairs.map((coin) => ({ position, name, coin, sign: -1 })),
  ]
}
