import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { Resolution } from './write.ts'

/** Stored current prices by coin id, of one source or of all. */
export async function readQuotedPrices(
  db: Db,
  source?: string,
): Promise<Map<string, { usd: string; at: Date; source: string }>> {
  let query = db.selectFrom('coin_quotes').select(['coin_id', 'price_usd', 'at', 'source'])
  if (source !== undefined) query = query.where('source', '=', source)
  const rows = await query.execute()
  return new Map(rows.map((row) => [row.coin_id, { usd: row.price_usd, at: row.at, source: row.source }]))
}

/** The newest market totals of these sources; null: there are none. */
export async function readNewestTotals(db: Db, { sources }: { sources: readonly string[] }) {
  const newest = await db
    .selectFrom('market_totals')
    .select([
      'at',
      'source',
      'market_cap_usd as marketCapUsd',
      'volume_24h_usd as volume24hUsd',
      'btc_dominance as btcDominance',
    ])
    .where('source', 'in', sources)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest ?? null
}

/** The price change of a coin over one day in percent; null: unknown. */
export async function readDayChange(db: Db, coinId: string): Promise<string | null> {
  const quote = await db
    .selectFrom('coin_quotes')
    .select('price_change_1d')
    .where('coin_id', '=', coinId)
    .executeTakeFirst()
  return quote?.price_change_1d ?? null
}

/** The instant of the newest reference rate of a source; null: there is none. */
export async function readNewestRate(db: Db, source: string): Promise<Date | null> {
  const { at } = await db
    .selectFrom('fx_rates')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return at
}

/** The contracts that a source supplied. */
export async function readContracts(
  db: Db,
  source: string,
): Promise<{ blockchain: string; address: string }[]> {
  return db
    .selectFrom('coin_contracts')
    .select(['blockchain', 'address'])
    .where('source', '=', source)
    .execute()
}

/** Coin ids by the ids that a source uses. */
export async function readMappings(db: Db, source: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('coin_mappings')
    .select(['upstream_id', 'coin_id'])
    .where('source', '=', source)
    .execute()
  return new Map(rows.map((row) => [row.upstream_id, row.coin_id]))
}

/** Counts the listed coins among these coins of a source. */
export async function countListed(
  db: Db,
  { source, coinIds }: { source: string; coinIds: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from coins
    where source = ${source} and delisted_at is null and id = any(${coinIds}::text[])`.execute(db)
  return rows[0]!.n
}

/** Where to request the history of a coin, and the range that is stored; null: nothing is stored. */
export interface HistoryState {
  coinId: string
  source: string
  upstreamId: string
  contract: { blockchain: string; address: string } | null
  from: Date | null
  to: Date | null
}

export async function readHistoryStates(
  db: Db,
  input: { coinIds: readonly string[]; resolution: Resolution },
): Promise<HistoryState[]> {
  const { rows } = await sql<{
    id: string
    source: string
    upstream_id: string
    blockchain: string | null
    address: string | null
    from_at: Date | null
    to_at: Date | null
  }>`
    select c.id, c.source, m.upstream_id, k.blockchain, k.address, h.from_at, h.to_at
    from coins c
    join coin_mappings m on m.coin_id = c.id and m.source = c.source
    left join lateral (
      select blockchain, address from coin_contracts where coin_id = c.id order by blockchain, address limit 1) k on true
    left join price_histories h on h.coin_id = c.id and h.resolution = ${input.resolution}
    where c.id = any(${input.coinIds}::text[]) order by c.rank nulls last, c.id`.execute(db)
  return rows.map((row) => ({
    coinId: row.id,
    source: row.source,
    upstreamId: row.upstream_id,
    contract:
      row.blockchain !== null && row.address !== null
        ? { blockchain: row.blockchain, address: row.address }
        : null,
    from: row.from_at,
    to: row.to_at,
  }))
}

/** Listed coins whose history does not reach `until`: held coins first, then by rank. */
export async function readLaggingCoins(
  db: Db,
  input: { resolution: Resolution; until: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from coins c
    left join price_histories h on h.coin_id = c.id and h.resolution = ${input.resolution}
    where c.delisted_at is null and (h.to_at is null or h.to_at < ${input.until})
    order by exists (select from balances b where b.coin_id = c.id and b.raw > 0) desc, c.rank nulls last, c.id
    limit ${input.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Listed coins without any history: held coins first, then by rank. Leaves out coins whose source refused
 * them since `quarantinedSince`; the daily run tries those again.
 */
export async function readCoinsWithoutHistory(
  db: Db,
  input: { resolution: Resolution; quarantinedSince: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from coins c
    where c.delisted_at is null
      and exists (select from coin_mappings m where m.coin_id = c.id and m.source = c.source)
      and not exists (select from price_histories h where h.coin_id = c.id and h.resolution = ${input.resolution})
      and not exists (
        select from quarantine q
        where q.source = c.source and q.fetched_at > ${input.quarantinedSince} and q.area = 'prices'
          and q.payload->>'coinId' = c.id and q.payload->>'resolution' = ${input.resolution}
      )
    order by exists (select from balances b where b.coin_id = c.id and b.raw > 0) desc, c.rank nulls last, c.id
    limit ${input.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Coins of one source that have no description yet. */
export async function readUndescribedCoins(
  db: Db,
  input: { source: string; limit: number },
): Promise<{ coinId: string; upstreamId: string }[]> {
  const { rows } = await sql<{ id: string; upstream_id: string }>`
    select c.id, m.upstream_id from coins c join coin_mappings m on m.coin_id = c.id and m.source = c.source
    where c.source = ${input.source} and c.delisted_at is null and c.categories = '{}' and c.explorers = '{}'
      and c.website_url is null
    order by c.rank nulls last, c.id limit ${input.limit}`.execute(db)
  return rows.map((row) => ({ coinId: row.id, upstreamId: row.upstream_id }))
}
