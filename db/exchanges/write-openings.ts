import type pg from 'pg'

/** Clocks of exchanges differ from ours, so it is unknown whether balances include a movement this recent. */
const UNSURE = `interval '1 minute'`

/**
 * Writes differences between balances and history as transactions of type `balance`, so that the legs of each
 * asset add up to its balance. A surplus becomes an opening just before the first movement. A shortfall
 * leaves at the time it is noticed and keeps that time while its amount stays the same. If the history would
 * fall below zero in between, P&L opens the missing part at that transaction; it is counted here. Assets that
 * moved within the last minute or have a pending transfer are left unchanged.
 */
export async function writeOpenings(
  client: pg.ClientBase,
  input: { connectionId: string; statedAt: Date },
): Promise<void> {
  const { connectionId } = input
  const { rows } = await client.query<{ asset: string }>(
    `select held.asset from (
       select asset from exchange_balances where connection_id = $1
       union select distinct asset from exchange_legs where connection_id = $1
     ) as held
     left join exchange_balances b on b.connection_id = $1 and b.asset = held.asset
     left join lateral (
       select total, at from exchange_legs where connection_id = $1 and asset = held.asset
       order by at desc, kind desc, key desc, role desc limit 1
     ) as newest on true
     where (coalesce(b.amount, 0) <> coalesce(newest.total, 0) or exists (
         select from exchange_legs where connection_id = $1 and asset = held.asset and total < 0))
       and coalesce(newest.at, '-infinity') < $2::timestamptz - ${UNSURE}
       and not exists (
         select from exchange_transactions t
         where t.connection_id = $1 and t.asset = held.asset and t.status = 'pending')`,
    [connectionId, input.statedAt],
  )
  if (rows.length === 0) return
  await client.query(WRITE, [connectionId, input.statedAt, rows.map(({ asset }) => asset)])
}

const WRITE = `
  with moved as (
    select asset, at, sum(delta) as delta from exchange_legs
    where connection_id = $1 and asset = any($3) and kind <> 'opening'
    group by asset, at
  ), walked as (
    select asset, at, delta, sum(delta) over (partition by asset order by at) as total from moved
  ), story as (
    select asset, min(at) as first_at, sum(delta) as moved, min(total) as lowest from walked group by asset
  ), difference as (
    select held.asset, coalesce(b.amount, 0) - coalesce(moved, 0) as amount, coalesce(lowest, 0) as lowest,
      coalesce(first_at, (
        select min(at) from exchange_transactions where connection_id = $1 and status = 'ok' and kind <> 'opening'
      ), $2) - interval '1 millisecond' as before
    from unnest($3::text[]) as held (asset)
    left join story using (asset)
    left join exchange_balances b on b.connection_id = $1 and b.asset = held.asset
  ), opened as (
    select asset, before, amount, greatest(amount, 0) as opening,
      greatest(-(greatest(amount, 0) + least(lowest, 0)), 0) as uncovered
    from difference
  ), wanted as (
    select asset, asset as key, before as at, opening as amount from opened
    union all
    select asset, asset || ':unseen', $2, amount - opening - uncovered from opened
  )
  insert into exchange_transactions as stored
    (connection_id, kind, key, at, status, type, asset, amount, derived, source, fetched_at)
  select $1, 'opening', key, at, case when amount = 0 then 'failed' else 'ok' end, 'balance', asset, amount, false,
    c.venue, $2
  from wanted join exchange_connections c on c.id = $1
  where amount <> 0 or exists (
    select from exchange_transactions t where t.connection_id = $1 and t.kind = 'opening' and t.key = wanted.key)
  on conflict (connection_id, kind, key) do update
  set (at, status, amount, derived, fetched_at) =
    (excluded.at, excluded.status, excluded.amount, false, excluded.fetched_at)
  where stored.amount <> excluded.amount or (stored.at <> excluded.at and stored.amount > 0)`
