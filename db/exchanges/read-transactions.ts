import { type RawBuilder, sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { ExchangeTransaction, ExchangeTransactionKind } from './tables.ts'

export interface TransactionFilter {
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  types?: readonly string[] | undefined
  hideUnidentifiedCoins: boolean
}

/** One asset that came in (positive) or went out. */
export interface Leg {
  role: 'base' | 'quote' | 'fee'
  asset: string
  /** decimal text */
  delta: string
  /** at the instant of the transaction; null: unknown */
  priceUsd: string | null
  coinId: string | null
  currency: string | null
  name: string | null
  icon: string | null
  isStable: boolean
}

export interface ListedTransaction {
  kind: ExchangeTransactionKind
  key: string
  type: ExchangeTransaction['type']
  at: Date
  network: string | null
  address: string | null
  txHash: string | null
  legs: Leg[]
  /** the operator's corrections; empty: counts as the exchange states it */
  parts: CorrectedPart[]
}

export interface CorrectedPart {
  /** decimal text, in the transaction's asset; null: the rest after the other parts */
  count: string | null
  /** null: as the exchange states it */
  role: string | null
  at: string | null
  /** portfolio in which it counts; null: its own account */
  portfolio: string | null
}

const COLUMNS = sql`t.kind, t.key, t.type, t.at, t.network, t.address, t.tx_hash as "txHash", legs.list as legs, parts.list as parts`
const LISTED = sql`
  from page
  join exchange_transactions t on t.connection_id = page.connection_id and t.kind = page.kind and t.key = page.key
  join exchange_connections c on c.id = t.connection_id
  cross join lateral (
    select coalesce(json_agg(json_build_object(
      'role', l.role, 'asset', l.asset, 'delta', l.delta::text, 'priceUsd', l.price_usd::text,
      'coinId', a.coin_id, 'currency', a.currency, 'name', coin.name, 'icon', coin.icon,
      'isStable', coalesce(coin.is_stable, false)) order by l.role), '[]') as list
    from exchange_legs l
    left join exchange_assets a on a.venue = c.venue and a.asset = l.asset
    left join coins coin on coin.id = a.coin_id
    where l.connection_id = t.connection_id and l.kind = t.kind and l.key = t.key
  ) as legs
  cross join lateral (
    select coalesce(json_agg(json_build_object(
      'count', trim_scale(round(t.amount * p.share, greatest(18, scale(t.amount))))::text, 'role', p.role,
      'at', to_char(p.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'portfolio', coalesce(other.name, p.portfolio_id::text)) order by p.part), '[]') as list
    from transaction_parts p left join portfolios other on other.id = p.portfolio_id
    where p.connection_id = t.connection_id and p.kind = t.kind and p.key = t.key
  ) as parts`

function conditions(filter: TransactionFilter): RawBuilder<boolean>[] {
  const all: RawBuilder<boolean>[] = []
  if (filter.from) all.push(sql`at >= ${filter.from}`)
  if (filter.to) all.push(sql`at < ${filter.to}`)
  if (filter.hideUnidentifiedCoins) all.push(sql`identified`)
  return all
}

/**
 * Settled transactions of a connection, newest first. An index alone gives the keys of the page, and no other
 * data of earlier rows is read, so deep pages stay cheap.
 */
export async function readTransactions(
  db: ReadonlyDb,
  query: { connectionId: string; filter: TransactionFilter; offset: number; limit: number },
): Promise<ListedTransaction[]> {
  const { connectionId, filter, offset, limit } = query
  const where = (type?: string) =>
    sql.join(
      [
        sql`connection_id = ${connectionId}`,
        sql`status = 'ok'`,
        ...conditions(filter),
        ...(type === undefined ? [] : [sql`type = ${type}`]),
      ],
      sql` and `,
    )
  const order = sql`order by at desc, kind desc, key desc`
  const keysOf = (type?: string) => sql`
    select at, kind, key from exchange_transactions where ${where(type)} ${order} limit ${offset + limit}`
  const { types } = filter
  // Each type has its own ordered range in the index.
  const keys = types
    ? sql`select * from (${sql.join(
        types.map((type) => sql`(${keysOf(type)})`),
        sql` union all `,
      )}) as each`
    : keysOf()
  return readSql(
    db,
    sql<ListedTransaction>`
      with page as materialized (
        select ${connectionId}::uuid as connection_id, kind, key from (${keys}) as keys ${order} limit ${limit} offset ${offset}
      )
      select ${COLUMNS} ${LISTED} order by t.at desc, t.kind desc, t.key desc`,
  )
}

/** Transactions by the index of their key in `keys`; transactions deleted meanwhile are missing. */
export async function readTransactionsByKey(
  db: Db | ReadonlyDb,
  keys: readonly { connectionId: string; kind: string; key: string }[],
): Promise<Map<number, ListedTransaction>> {
  if (keys.length === 0) return new Map()
  const rows = await readSql(
    db,
    sql<ListedTransaction & { index: number }>`
      with page as (
        select connection_id, kind, key, position::integer - 1 as index
        from unnest(${keys.map(({ connectionId }) => connectionId)}::uuid[],
          ${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => key)}::text[]) with ordinality
          as asked (connection_id, kind, key, position)
      )
      select page.index, ${COLUMNS} ${LISTED}`,
  )
  return new Map(rows.map((row) => [row.index, row]))
}
