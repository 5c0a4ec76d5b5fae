import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Exchange ids by `source upstreamId`. */
export async function readExchangeMappings(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('ticker_exchange_mappings')
    .select(['source', 'upstream_id', 'exchange_id'])
    .execute()
  return new Map(rows.map((row) => [`${row.source} ${row.upstream_id}`, row.exchange_id]))
}

/** The listed exchanges, the source of each volume, and the instant of the volume. */
export async function readListedExchanges(db: Db): Promise<{ id: string; source: string; at: Date }[]> {
  return db
    .selectFrom('ticker_exchanges')
    .select(['id', 'source', 'at'])
    .where('rank', 'is not', null)
    .execute()
}

export interface MappedExchange {
  exchangeId: string
  upstreamId: string
}

/** The largest listed exchanges that a source knows. */
export async function readLargestExchanges(
  db: Db,
  input: { source: string; limit: number },
): Promise<MappedExchange[]> {
  const { rows } = await sql<MappedExchange>`
    select exchange.id as "exchangeId", mapping.upstream_id as "upstreamId"
    from ticker_exchanges exchange
    join ticker_exchange_mappings mapping on mapping.exchange_id = exchange.id and mapping.source = ${input.source}
    where exchange.rank is not null order by exchange.rank limit ${input.limit}`.execute(db)
  return rows
}

/** The largest listed exchanges whose past volumes were not read yet. */
export async function readUnchartedExchanges(
  db: Db,
  input: { source: string; limit: number },
): Promise<MappedExchange[]> {
  const { rows } = await sql<MappedExchange>`
    select exchange.id as "exchangeId", mapping.upstream_id as "upstreamId"
    from ticker_exchanges exchange
    join ticker_exchange_mappings mapping on mapping.exchange_id = exchange.id and mapping.source = ${input.source}
    where exchange.rank is not null and exchange.charted_at is null order by exchange.rank limit ${input.limit}`.execute(
    db,
  )
  return rows
}

/** The largest listed markets of an exchange, and the instant of the newest price of each from `source`. */
export async function readLargestPairs(
  db: Db,
  input: { exchangeId: string; source: string; limit: number },
): Promise<{ base: string; target: string; newest: Date | null }[]> {
  const { rows } = await sql<{ base: string; target: string; newest: Date | null }>`
    select base, target, (
      select max(at) from ticker_prices price
      where price.exchange_id = ticker.exchange_id and price.base = ticker.base and price.target = ticker.target
        and price.source = ${input.source}
    ) as newest
    from tickers ticker where exchange_id = ${input.exchangeId} and listed
    order by volume_usd desc, base, target limit ${input.limit}`.execute(db)
  return rows
}
