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

/** All coins with their quotes and whether a source has an id for them. */
export async function readStoredCoins(db: Db, source: string) {
  const { rows } = await sql<{
    coinId: string
    symbol: string
    name: string
    priceUsd: string | null
    isMapped: boolean
  }>`
    select c.id as "coinId", c.symbol, c.name, q.price_usd as "priceUsd",
      exists (select from coin_mappings m where m.coin_id = c.id and m.source = ${source}) as "isMapped"
    from coins c left join coin_quotes q on q.coin_id = c.id order by c.id`.execute(db)
  return rows
}

/** When quotes of a source were last stored; null: never. */
export async function readLastQuoted(db: Db, source: string): Promise<Date | null> {
  const { at } = await db
    .selectFrom('coin_quotes')
    .select((eb) => eb.fn.max('fetched_at').as('at'))
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return at
}

/** Whether a source brought coins. */
export async function hasCoinsOf(db: Db, source: string): Promise<boolean> {
  const coin = await db
    .selectFrom('coins')
    .select('id')
    .where('source', '=', source)
    .limit(1)
    .executeTakeFirst()
  return coin !== undefined
}

/** The largest listed coins that a source has an id for. */
export async function readAliases(
  db: Db,
  { source, limit }: { source: string; limit: number },
): Promise<{ coinId: string; upstreamId: string }[]> {
  const { rows } = await sql<{ coinId: string; upstreamId: string }>`
    select c.id as "coinId", m.upstream_id as "upstreamId"
    from coins c join coin_mappings m on m.coin_id = c.id and m.source = ${source}
    where c.delisted_at is null order by c.rank nulls last, c.id limit ${limit}`.execute(db)
  return rows
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

/** Under which names a coin may have a history, and the range that is stored; null: nothing is stored. */
export interface HistoryState {
  coinId: string
  source: string
  geckoId: string | null
  paprikaId: string | null
  contract: { blockchain: string; address: string } | null
  from: Date | null
  to: Date | null
  /** The plans under which nothing before `from` could be had; null: nobody refused it. */
  floorPlan: string | null
}

export async function readHistoryStates(
  db: Db,
  input: { coinIds: readonly string[]; resolution: Resolution },
): Promise<HistoryState[]> {
  const idAt = (source: string) => sql<string | null>`
    (select min(upstream_id) from coin_mappings m where m.coin_id = c.id and m.source = ${source})`
  const { rows } = await sql<
    Omit<HistoryState, 'contract'> & { blockchain: string | null; address: string | null }
  >`
    select c.id as "coinId", c.source, ${idAt('coingecko')} as "geckoId", ${idAt('coinpaprika')} as "paprikaId",
      k.blockchain, k.address, h.from_at as "from", h.to_at as "to", h.floor_plan as "floorPlan"
    from coins c
    left join lateral (
      select blockchain, address from coin_contracts where coin_id = c.id order by blockchain, address limit 1) k on true
    left join price_histories h on h.coin_id = c.id and h.resolution = ${input.resolution}
    where c.id = any(${input.coinIds}::text[])
      and exists (select from coin_mappings m where m.coin_id = c.id)
    order by c.rank nulls last, c.id`.execute(db)
  return rows.map(({ blockchain, address, ...row }) => ({
    ...row,
    contract: blockchain !== null && address !== null ? { blockchain, address } : null,
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
      and exists (select from coin_mappings m where m.coin_id = c.id)
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

/** Coins that a source knows and has not described, except those that it refused since `refusedSince`. */
export async function readUndescribedCoins(
  db: Db,
  input: { source: string; limit: number; refusedSince: Date },
): Promise<{ coinId: string; upstreamId: string }[]> {
  const { rows } = await sql<{ id: string; upstream_id: string }>`
    select c.id, m.upstream_id from coins c join coin_mappings m on m.coin_id = c.id and m.source = ${input.source}
    where c.delisted_at is null and c.categories = '{}' and c.explorers = '{}' and c.website_url is null
      and not exists (
        select from quarantine q
        where q.source = ${input.source} and q.fetched_at > ${input.refusedSince} and q.area = 'prices'
          and q.payload->>'describe' = c.id
      )
    order by c.rank nulls last, c.id limit ${input.limit === Infinity ? null : input.limit}`.execute(db)
  return rows.map((row) => ({ coinId: row.id, upstreamId: row.upstream_id }))
}
