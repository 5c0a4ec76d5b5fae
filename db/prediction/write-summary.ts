import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'
import { PREDICTION_VENUES } from '../values/prediction-venues.ts'
import { refreshSummedVolumes } from './write-volumes.ts'
import { yesPriceOf } from './yes-price.ts'

/** Prepares price changes, sums over events, tags, and the item counts of all combinations of filters. */
export async function refreshSummary(
  { db }: Transaction,
  { now, source }: { now: Date; source: string },
): Promise<void> {
  // The current price joins the history, so that price changes are known for markets whose history is not
  // read. PredictIt states no volume, so each of its markets may have moved.
  for (const minutes of [5, 60, 1440])
    await sql`
      insert into prediction_prices (market_id, outcome, minutes, at, price, source, fetched_at)
      select o.market_id, o.position, ${minutes}::int, to_timestamp(floor(extract(epoch from ${now}::timestamptz) / (${minutes}::int * 60)) * ${minutes}::int * 60), o.price, o.source, ${now}
      from prediction_markets m join prediction_outcomes o on o.market_id = m.id and o.position = 0
      where m.status = 'open' and (coalesce(m.notional_24h_usd, m.volume_24h_usd) > 0 or m.venue = 'predictit')
      on conflict do nothing`.execute(db)
  await sql`
    with marks as (
      select m.id, o.price - (${priceBefore(5, '1 hour', now)}) as hour, o.price - (${priceBefore(60, '1 day', now)}) as day,
        o.price - (${priceBefore(60, '7 days', now)}) as week
      from prediction_markets m join prediction_outcomes o on o.market_id = m.id and o.position = 0
      where m.status in ('open', 'closed')
    ), changed as (
      update prediction_markets m set price_change_1h = hour, price_change_24h = day, price_change_7d = week from marks
      where marks.id = m.id and (m.price_change_1h, m.price_change_24h, m.price_change_7d) is distinct from (hour, day, week)
      returning m.id, day
    )
    update prediction_outcomes o set price_change_24h = case when position = 0 then day else - day end
    from changed where o.market_id = changed.id and o.position < 2`.execute(db)
  await refreshSummedVolumes(db, now)
  await sql`
    update prediction_markets m set traders_count = sums.traders
    from (select market_id, count(distinct trader_id)::int as traders from prediction_positions group by market_id) as sums
    where m.id = sums.market_id and m.traders_count is distinct from sums.traders`.execute(db)
  await refreshEvents({ db })
  await refreshCounts({ db }, { now, source })
}

const priceBefore = (minutes: number, span: string, now: Date) => sql`
  select p.price from prediction_prices p
  where p.market_id = m.id and p.outcome = 0 and p.minutes = ${minutes} and p.at <= ${now}::timestamptz - ${span}::interval
  order by p.at desc limit 1`

async function refreshEvents({ db }: Pick<Transaction, 'db'>): Promise<void> {
  await sql`
    with sums as (
      select m.event_id, count(*)::int as markets,
        (array_agg(m.id order by o.price desc, m.volume_24h_usd desc, m.id))[1] as top,
        sum(m.volume_24h_usd) as day, sum(m.volume_total_usd) as total, sum(m.liquidity_usd) as liquidity,
        sum(m.open_interest_usd) as interest,
        case when bool_or(m.status = 'open') then 'open' when bool_or(m.status = 'closed') then 'closed'
          when bool_or(m.status = 'resolved') then 'resolved' else 'cancelled' end as status
      from prediction_markets m
      join lateral ${yesPriceOf(sql`m.id`)} as o on true
      where m.event_id is not null group by m.event_id
    )
    update prediction_events e set markets_count = markets, top_market_id = top, volume_24h_usd = day, volume_total_usd = total,
      liquidity_usd = liquidity, open_interest_usd = interest, status = sums.status
    from sums where sums.event_id = e.id and (e.markets_count, e.top_market_id, e.volume_24h_usd, e.volume_total_usd, e.liquidity_usd, e.open_interest_usd, e.status)
      is distinct from (markets, top, day, total, liquidity, interest, sums.status)`.execute(db)
}

async function refreshCounts(
  { db }: Pick<Transaction, 'db'>,
  { now, source }: { now: Date; source: string },
): Promise<void> {
  await sql`
    update prediction_tags t set markets_count = sums.markets, events_count = sums.events, volume_24h_usd = sums.volume, fetched_at = ${now}, source = t.source
    from (
      select t.slug, (select count(*)::int from prediction_markets m where m.tags @> array[t.slug]) as markets,
        (select count(*)::int from prediction_events e where e.tags @> array[t.slug]) as events,
        (select coalesce(sum(volume_24h_usd), 0) from prediction_markets m where m.tags @> array[t.slug]) as volume
      from prediction_tags t
    ) as sums
    where sums.slug = t.slug and (t.markets_count, t.events_count, t.volume_24h_usd) is distinct from (sums.markets, sums.events, sums.volume)`.execute(
    db,
  )
  await sql`delete from prediction_counts`.execute(db)
  for (const [kind, table] of [
    ['market', 'prediction_markets'],
    ['event', 'prediction_events'],
  ] as const)
    await sql`
      insert into prediction_counts (kind, venue, status, category, items, open_interest_usd)
      select ${kind}, coalesce(venue, ''), coalesce(status, ''), coalesce(category, ''), count(*), sum(open_interest_usd)
      from (select venue, status, coalesce(nullif(category, ''), '-') as category, open_interest_usd from ${sql.table(table)}) as items
      group by cube (venue, status, category)`.execute(db)
  await sql`
    insert into prediction_venues as stored (venue, volume_24h_usd, volume_7d_usd, volume_total_usd, open_interest_usd, liquidity_usd,
      open_markets, open_events, active_traders_24h, trades_24h, source, fetched_at)
    select m.venue, sum(m.volume_24h_usd), sum(m.volume_7d_usd), sum(m.volume_total_usd), sum(m.open_interest_usd), sum(m.liquidity_usd),
      count(*) filter (where m.status = 'open'),
      (select count(*) from prediction_events e where e.venue = m.venue and e.status = 'open'),
      coalesce(t.traders, 0), coalesce(t.trades, 0), min(m.source), max(m.fetched_at)
    from prediction_markets m left join (
      select m.venue, count(distinct t.trader_id) as traders, count(*) as trades
      from prediction_trades t join prediction_markets m on m.id = t.market_id
      where t.at > ${now}::timestamptz - interval '1 day' and t.at <= ${now} group by m.venue
    ) as t on t.venue = m.venue
    group by m.venue, t.traders, t.trades
    on conflict (venue) do update set volume_24h_usd = excluded.volume_24h_usd, volume_7d_usd = excluded.volume_7d_usd,
      volume_total_usd = excluded.volume_total_usd, open_interest_usd = excluded.open_interest_usd, liquidity_usd = excluded.liquidity_usd,
      open_markets = excluded.open_markets, open_events = excluded.open_events, active_traders_24h = excluded.active_traders_24h,
      trades_24h = excluded.trades_24h, fetched_at = excluded.fetched_at`.execute(db)
  for (const [interval, unit] of [
    ['daily', 'day'],
    ['weekly', 'week'],
    ['monthly', 'month'],
  ] as const)
    await refreshPeriods({ db }, { now, source, interval, unit })
}

/** Refreshes the latest two periods of each venue, or all of them when none is stored. */
async function refreshPeriods(
  { db }: Pick<Transaction, 'db'>,
  { now, source, interval, unit }: { now: Date; source: string; interval: string; unit: string },
): Promise<void> {
  await sql`
    with start as (
      select v.venue, coalesce((
        select max(start_at) - ${`1 ${unit}`}::interval from prediction_venue_periods p where p.venue = v.venue and p.interval = ${interval}
      ), '-infinity') as at from unnest(${[...PREDICTION_VENUES]}::text[]) as v (venue)
    ), sums as (
      select m.venue, coalesce(m.category, '-') as category, date_trunc(${unit}, d.day, 'UTC') as start_at,
        sum(d.volume_usd) as volume, sum(d.trades)::int as trades
      from start join prediction_markets m on m.venue = start.venue join prediction_trade_days d on d.market_id = m.id and d.day >= start.at
      group by grouping sets ((1, 2, 3), (1, 3))
    ), people as (
      select m.venue, coalesce(m.category, '-') as category, date_trunc(${unit}, t.at, 'UTC') as start_at, count(distinct t.trader_id)::int as traders
      from start join prediction_markets m on m.venue = start.venue join prediction_trades t on t.market_id = m.id and t.at >= start.at and t.trader_id is not null
      group by grouping sets ((1, 2, 3), (1, 3))
    )
    insert into prediction_venue_periods as stored (venue, category, interval, start_at, volume_usd, trades, active_traders, source, fetched_at)
    select s.venue, coalesce(s.category, ''), ${interval}, s.start_at, s.volume, s.trades, coalesce(p.traders, 0), ${source}, ${now}
    from sums s left join people p on p.venue = s.venue and p.category is not distinct from s.category and p.start_at = s.start_at
    on conflict (venue, category, interval, start_at) do update set volume_usd = excluded.volume_usd, trades = excluded.trades,
      active_traders = excluded.active_traders, source = excluded.source, fetched_at = excluded.fetched_at
      where (stored.volume_usd, stored.trades, stored.active_traders) is distinct from (excluded.volume_usd, excluded.trades, excluded.active_traders)`.execute(
    db,
  )
}
