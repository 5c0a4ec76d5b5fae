import { sql } from 'kysely'
import { copyRows } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import type { Transaction } from '../transact.ts'

/** An exchange with volumes in USD, and the volume that each source gives for it. */
export interface ExchangeValues {
  exchangeId: string
  name: string
  icon: string | null
  url: string | null
  volume24hUsd: string
  volume7dUsd: string | null
  volume30dUsd: string | null
  /** source of the volumes above */
  source: string
  bySource: readonly { source: string; upstreamId: string; volume24hUsd: string }[]
}

const VALUES = ['name', 'icon', 'url', 'volume_24h_usd', 'volume_7d_usd', 'volume_30d_usd', 'at'] as const

/** Stores exchanges with their mappings. Keeps a stored logo or URL when no source gives one. */
export async function storeExchanges(
  { client, db }: Transaction,
  batch: { exchanges: readonly ExchangeValues[]; at: Date; fetchedAt: Date },
): Promise<void> {
  const { exchanges, at, fetchedAt } = batch
  const stored = await db.selectFrom('ticker_exchanges').select(['id', 'icon', 'url']).execute()
  const before = new Map(stored.map((row) => [row.id, row]))
  await copyRows(client, {
    table: 'ticker_exchanges',
    columns: ['id', ...VALUES, 'source', 'fetched_at'],
    key: ['id'],
    update: VALUES,
    stamp: ['source', 'fetched_at'],
    rows: exchanges.map((row) => [
      row.exchangeId,
      row.name,
      row.icon ?? before.get(row.exchangeId)?.icon ?? null,
      row.url ?? before.get(row.exchangeId)?.url ?? null,
      row.volume24hUsd,
      row.volume7dUsd,
      row.volume30dUsd,
      at,
      row.source,
      fetchedAt,
    ]),
  })
  await copyRows(client, {
    table: 'ticker_exchange_mappings',
    columns: ['source', 'upstream_id', 'exchange_id'],
    key: ['source', 'upstream_id'],
    rows: exchanges.flatMap(({ exchangeId, bySource }) =>
      bySource.map(({ source, upstreamId }) => [source, upstreamId, exchangeId]),
    ),
  })
}

export interface VolumeRow {
  exchangeId: string
  source: string
  /** a full hour */
  at: Date
  volume24hUsd: string
}

/** Adds points to the volume histories. Stored points stay. */
export async function storeVolumes(
  { client }: Pick<Transaction, 'client'>,
  batch: { points: readonly VolumeRow[]; fetchedAt: Date },
): Promise<number> {
  const { points, fetchedAt } = batch
  return copyRows(client, {
    table: 'ticker_exchange_volumes',
    columns: ['exchange_id', 'source', 'at', 'volume_24h_usd', 'fetched_at'],
    key: ['exchange_id', 'source', 'at'],
    rows: points.map((row) => [row.exchangeId, row.source, row.at, row.volume24hUsd, fetchedAt]),
  })
}

/**
 * Ranks the listed exchanges by volume. Derives from the volume histories the change over 24 hours, within
 * the series of one source (preferably the source of the served volume), and the 7-day volume where no source
 * gives it. Returns the number of listed exchanges.
 */
export async function rankExchanges(
  { db }: Pick<Transaction, 'db'>,
  { listedIds }: { listedIds: readonly string[] },
): Promise<number> {
  await sql`
    update ticker_exchanges as exchange set rank = ranked.rank
    from (
      select every.id, listed.rank from ticker_exchanges every left join (
        select id, row_number() over (order by volume_24h_usd desc, id)::integer as rank
        from ticker_exchanges where id = any(${listedIds}::text[])
      ) listed on listed.id = every.id
    ) ranked
    where ranked.id = exchange.id and ranked.rank is distinct from exchange.rank`.execute(db)
  await deriveFromVolumes(db)
  return listedIds.length
}

/** Derives changes and 7-day volumes, see rankExchanges. A point is valid for six hours. */
export async function deriveFromVolumes(db: Db): Promise<void> {
  await sql`
    with newest as (
      select distinct on (exchange_id, source) exchange_id, source, at, volume_24h_usd
      from ticker_exchange_volumes where at > (select max(at) from ticker_exchanges) - interval '6 hours'
      order by exchange_id, source, at desc
    ), ago as (
      select newest.exchange_id, newest.source, newest.at, days.n, point.volume_24h_usd
      from newest cross join generate_series(0, 6) as days (n)
      join lateral (
        select volume_24h_usd from ticker_exchange_volumes past
        where past.exchange_id = newest.exchange_id and past.source = newest.source
          and past.at <= newest.at - days.n * interval '24 hours'
          and past.at > newest.at - days.n * interval '24 hours' - interval '6 hours'
        order by past.at desc limit 1
      ) point on true
    ), series as (
      select exchange_id, source, max(at) as at,
        case when count(*) = 7 then sum(volume_24h_usd) end as volume_7d_usd,
        (max(volume_24h_usd) filter (where n = 0) / nullif(max(volume_24h_usd) filter (where n = 1), 0) - 1) * 100 as change_24h
      from ago group by exchange_id, source
    ), best as (
      select distinct on (exchange.id) exchange.id, series.change_24h,
        (select volume_7d_usd from series own where own.exchange_id = exchange.id and own.source = exchange.source) as volume_7d_usd
      from ticker_exchanges exchange join series on series.exchange_id = exchange.id
      where series.at > exchange.at - interval '6 hours'
      order by exchange.id, series.change_24h is null, series.source = exchange.source desc, series.source
    )
    update ticker_exchanges as exchange set
      change_24h = round(best.change_24h, 4), volume_7d_usd = coalesce(exchange.volume_7d_usd, best.volume_7d_usd)
    from best where best.id = exchange.id`.execute(db)
}

export async function markCharted(db: Db, input: { exchangeId: string; at: Date }): Promise<void> {
  await db
    .updateTable('ticker_exchanges')
    .set({ charted_at: input.at })
    .where('id', '=', input.exchangeId)
    .execute()
}
