import type pg from 'pg'
import { transact } from '../transact.ts'

/**
 * Legs of the transactions that are new or changed, the running totals from the earliest of them on, and prices of legs
 * that have none yet. Everything of a connection commits together.
 */
export async function deriveLegs(pool: pg.Pool, connectionId: string): Promise<{ legs: number }> {
  return transact(pool, async ({ client }) => {
    const written = await writeLegs(client, connectionId)
    if (written.fromAt) await addUp(client, { connectionId, fromAt: written.fromAt })
    await priceLegs(client, connectionId)
    await client.query(
      `update exchange_transactions t set identified = known.identified
       from exchange_connections c, exchange_assets a,
         lateral (select a.coin_id is not null or a.currency is not null as identified) as known
       where t.connection_id = $1 and c.id = $1 and a.venue = c.venue and a.asset = t.asset
         and t.identified <> known.identified`,
      [connectionId],
    )
    return { legs: written.legs }
  })
}

async function writeLegs(
  client: pg.ClientBase,
  connectionId: string,
): Promise<{ legs: number; fromAt: Date | null }> {
  const { rows } = await client.query<{ legs: number; from_at: Date | null }>(
    `with removed as (
       delete from exchange_legs l using exchange_transactions t
       where t.connection_id = $1 and not t.derived
         and l.connection_id = $1 and l.kind = t.kind and l.key = t.key
         and not exists (select from exchange_legs_of(t) wanted where wanted.role = l.role)
       returning l.at
     ), earlier as materialized (
       select l.at from exchange_legs l
       join exchange_transactions t on l.kind = t.kind and l.key = t.key
       where l.connection_id = $1 and t.connection_id = $1 and not t.derived
     ), written as (
       insert into exchange_legs (connection_id, kind, key, role, asset, at, delta, price_usd, source, fetched_at)
       select t.connection_id, t.kind, t.key, leg.role, leg.asset, t.at, leg.delta, null, t.source, t.fetched_at
       from exchange_transactions t cross join lateral exchange_legs_of(t) leg
       where t.connection_id = $1 and not t.derived
       on conflict (connection_id, kind, key, role) do update
       set asset = excluded.asset, at = excluded.at, delta = excluded.delta, price_usd = null,
         source = excluded.source, fetched_at = excluded.fetched_at
       returning at
     ), marked as (
       update exchange_transactions set derived = true where connection_id = $1 and not derived
     )
     select (select count(*)::int from written) as legs,
       (select min(at) from (
         select at from written union all select at from removed union all select at from earlier) as touched) as from_at`,
    [connectionId],
  )
  return { legs: rows[0]?.legs ?? 0, fromAt: rows[0]?.from_at ?? null }
}

/** Sums per asset from an instant on; what lies before it stands. */
async function addUp(
  client: pg.ClientBase,
  { connectionId, fromAt }: { connectionId: string; fromAt: Date },
): Promise<void> {
  await client.query(
    `with base as (
       select distinct on (asset) asset, total from exchange_legs
       where connection_id = $1 and at < $2
       order by asset, at desc, kind desc, key desc, role desc
     ), sums as (
       select l.kind, l.key, l.role,
         coalesce(base.total, 0)
           + sum(l.delta) over (partition by l.asset order by l.at, l.kind, l.key, l.role) as total
       from exchange_legs l left join base using (asset)
       where l.connection_id = $1 and l.at >= $2
     )
     update exchange_legs l set total = sums.total from sums
     where l.connection_id = $1 and (l.kind, l.key, l.role) = (sums.kind, sums.key, sums.role)
       and l.total <> sums.total`,
    [connectionId, fromAt],
  )
}

/** Price of the leg's own instant: of hourly and daily point the later one, of both at once the daily one. */
async function priceLegs(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query(
    `with priced as (
       select l.kind, l.key, l.role, coalesce(coin.usd, fiat.usd) as usd
       from exchange_legs l
       join exchange_connections c on c.id = l.connection_id
       join exchange_assets a on a.venue = c.venue and a.asset = l.asset
       left join lateral (
         select usd from (
           (select usd, at, 0 as preference from price_days
            where coin_id = a.coin_id and at <= l.at order by at desc limit 1)
           union all
           (select usd, at, 1 from price_hours
            where coin_id = a.coin_id and at <= l.at order by at desc limit 1)
         ) as candidates order by at desc, preference limit 1
       ) as coin on a.coin_id is not null
       left join lateral (
         select case when a.currency = 'USD' then 1 else (
           select 1 / per_usd from fx_rates where currency = a.currency and at <= l.at order by at desc limit 1
         ) end as usd
       ) as fiat on a.currency is not null
       where l.connection_id = $1 and l.price_usd is null
     )
     update exchange_legs l set price_usd = priced.usd from priced
     where l.connection_id = $1 and (l.kind, l.key, l.role) = (priced.kind, priced.key, priced.role)
       and priced.usd is not null`,
    [connectionId],
  )
}
