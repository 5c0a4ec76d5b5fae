import type pg from 'pg'
import { transact } from '../transact.ts'

/**
 * Legs of the transactions that are new or changed, and of all later ones anew: with running totals and with the prices
 * of their instants. Legs that had no price get one where there is one now. Everything of a connection commits together.
 */
export async function deriveLegs(pool: pg.Pool, connectionId: string): Promise<{ legs: number }> {
  return transact(pool, async ({ client }) => {
    const fromAt = await earliestChange(client, connectionId)
    const legs = fromAt === null ? 0 : await writeLegs(client, { connectionId, fromAt })
    await priceLegs(client, connectionId)
    await client.query(
      `update exchange_transactions t set identified = known.identified
       from exchange_connections c, exchange_assets a,
         lateral (select a.coin_id is not null or a.currency is not null as identified) as known
       where t.connection_id = $1 and c.id = $1 and a.venue = c.venue and a.asset = t.asset
         and t.identified <> known.identified`,
      [connectionId],
    )
    return { legs }
  })
}

/** Of what changed, where it stands now and where it stood. Null: nothing did. */
async function earliestChange(client: pg.ClientBase, connectionId: string): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    `select least(min(t.at), min(l.at)) as at from exchange_transactions t
     left join exchange_legs l on l.connection_id = $1 and l.kind = t.kind and l.key = t.key
     where t.connection_id = $1 and not t.derived`,
    [connectionId],
  )
  return rows[0]?.at ?? null
}

/**
 * The price in force at the instant of a leg: of hourly and daily point the later one, of both at once the daily one.
 * The point of its own hour is that, where it is there; to look for an earlier one asks every partition.
 */
const PRICE = `coalesce(
  (select usd from price_days where coin_id = a.coin_id and at = date_trunc('hour', leg.at)),
  (select usd from price_hours where coin_id = a.coin_id and at = date_trunc('hour', leg.at)),
  (select usd from (
    (select usd, at, 0 as preference from price_days
     where coin_id = a.coin_id and at <= leg.at order by at desc limit 1)
    union all
    (select usd, at, 1 from price_hours
     where coin_id = a.coin_id and at <= leg.at order by at desc limit 1)
  ) as candidates order by at desc, preference limit 1),
  case when a.currency = 'USD' then 1 else (
    select 1 / per_usd from fx_rates where currency = a.currency and at <= leg.at order by at desc limit 1
  ) end)`

/** Deleting and inserting is one pass over what is new; joining totals back to rows would be three. */
async function writeLegs(
  client: pg.ClientBase,
  { connectionId, fromAt }: { connectionId: string; fromAt: Date },
): Promise<number> {
  await client.query('delete from exchange_legs where connection_id = $1 and at >= $2', [
    connectionId,
    fromAt,
  ])
  const { rowCount } = await client.query(
    `with base as materialized (
       select distinct on (asset) asset, total from exchange_legs
       where connection_id = $1 and at < $2
       order by asset, at desc, kind desc, key desc, role desc
     )
     insert into exchange_legs
       (connection_id, kind, key, role, asset, at, delta, total, price_usd, source, fetched_at)
     select leg.connection_id, leg.kind, leg.key, leg.role, leg.asset, leg.at, leg.delta,
       coalesce(base.total, 0)
         + sum(leg.delta) over (partition by leg.asset order by leg.at, leg.kind, leg.key, leg.role),
       ${PRICE}, leg.source, leg.fetched_at
     from (
       select t.connection_id, t.kind, t.key, of.role, of.asset, t.at, of.delta, t.source, t.fetched_at
       from exchange_transactions t cross join lateral exchange_legs_of(t) as of
       where t.connection_id = $1 and t.at >= $2
     ) as leg
     join exchange_connections c on c.id = $1
     left join base on base.asset = leg.asset
     left join exchange_assets a on a.venue = c.venue and a.asset = leg.asset`,
    [connectionId, fromAt],
  )
  await client.query(
    'update exchange_transactions set derived = true where connection_id = $1 and not derived',
    [connectionId],
  )
  return rowCount ?? 0
}

/** Assets that were identified, or prices that came, after their legs. */
async function priceLegs(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query(
    `with priced as (
       select leg.kind, leg.key, leg.role, ${PRICE} as usd
       from exchange_legs leg
       join exchange_connections c on c.id = leg.connection_id
       join exchange_assets a on a.venue = c.venue and a.asset = leg.asset
         and coalesce(a.coin_id, a.currency) is not null
       where leg.connection_id = $1 and leg.price_usd is null
     )
     update exchange_legs l set price_usd = priced.usd from priced
     where l.connection_id = $1 and l.kind = priced.kind and l.key = priced.key and l.role = priced.role
       and priced.usd is not null`,
    [connectionId],
  )
}
