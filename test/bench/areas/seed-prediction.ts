import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../../db/schema.ts'
import { refreshSummary } from '../../../db/prediction/write-summary.ts'
import { transact } from '../../../db/transact.ts'

const TRADERS = 20_000
const CATEGORIES = ['Crypto', 'Politics', 'Sports', 'Economics', 'Weather']
const WORDS = ['bitcoin', 'election', 'rate', 'final', 'storm']

/**
 * Inserts markets in events of ten, half of them open, and trades over two years, a hundredth of them in the
 * first market.
 */
export async function seedPrediction(
  { db, pool }: { db: Db; pool: pg.Pool },
  counts: { markets: number; trades: number },
): Promise<void> {
  const markets = sql.lit(counts.markets)
  const pick = (list: readonly string[]) =>
    sql`(array[${sql.join(list)}]::text[])[n % ${sql.lit(list.length)} + 1]`
  await sql`insert into prediction_events (slug, venue, venue_event_id, title, url, category, tags, status, mutually_exclusive,
      start_at, end_at, created_at, updated_at, source, fetched_at)
    select 'event-' || n, case n % 2 when 0 then 'kalshi' else 'polymarket' end, n::text, ${pick(WORDS)} || ' event ' || n,
      'https://venue.example', ${pick(CATEGORIES)}, array['tag-' || n % 100], 'open', true, now() - interval '1 year',
      now() + n * interval '1 hour', now() - n * interval '1 hour', now(), 'bench', now()
    from generate_series(1, ${markets} / 10) as n`.execute(db)
  await sql`insert into prediction_markets (slug, venue, venue_market_id, event_id, question, url, category, tags, status,
      last_trade_price, best_bid, best_ask, price_change_24h, volume_24h_usd, volume_7d_usd, volume_total_usd, liquidity_usd,
      open_interest_usd, start_at, end_at, created_at, updated_at, source, fetched_at)
    select 'market-' || n, e.venue, n::text, e.id, ${pick(WORDS)} || ' market ' || n, 'https://venue.example', e.category,
      e.tags, case n % 2 when 0 then 'open' else 'resolved' end, 0.5, 0.49, 0.51, (n % 100) / 1000.0, n % 9973, n % 99991,
      n % 999983, n % 7919, n % 6991, now() - interval '1 year', now() + n * interval '10 minutes',
      now() - n * interval '10 minutes', now(), 'bench', now()
    from generate_series(1, ${markets}) as n
    join prediction_events e on e.venue_event_id = ((n - 1) / 10 + 1)::text`.execute(db)
  await sql`insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
    select id, side, id || '-' || side, (array['Yes', 'No'])[side + 1], 0.5, 'bench', now()
    from prediction_markets, generate_series(0, 1) as side`.execute(db)
  for (const [things, columns, values] of [
    [
      'prediction_markets',
      'prediction_matches (polymarket_id, kalshi_id, relation, inverted, vetoes, status, score, method, source, fetched_at)',
      `p.id, k.id, 'same', false, '[]', 'auto'`,
    ],
    [
      'prediction_events',
      'prediction_event_matches (polymarket_id, kalshi_id, markets, score, method, source, fetched_at)',
      'p.id, k.id, 10',
    ],
  ] as const)
    await sql`insert into ${sql.raw(columns)} select ${sql.raw(values)}, 0.9, 'bench', 'bench', now()
      from (select id, row_number() over (order by id) as n from ${sql.table(things)} where venue = 'polymarket') as p
      join (select id, row_number() over (order by id) as n from ${sql.table(things)} where venue = 'kalshi') as k using (n)`.execute(
      db,
    )
  await sql`insert into prediction_tags (slug, label, markets_count, source, fetched_at)
    select 'tag-' || n, 'Tag ' || n, 1, 'bench', now() from generate_series(0, 99) as n`.execute(db)
  await sql`insert into prediction_traders (address, name, dirty, source, fetched_at)
    select '0x' || lpad(to_hex(n), 40, '0'), 'trader ' || n, false, 'bench', now()
    from generate_series(1, ${sql.lit(TRADERS)}) as n`.execute(db)
  // In key order, so that the index grows only at its end.
  await sql`insert into prediction_trades (market_id, at, id, outcome, side, price, size, value_usd, trader_id, source,
      fetched_at)
    select market, now() - n * interval '2 years' / ${sql.lit(counts.trades)}, gen_random_uuid(), n % 2,
      case n % 3 when 0 then 'sell' else 'buy' end, 0.5, 1 + n % 500, (1 + n % 500) / 2.0, 1 + n % ${sql.lit(TRADERS)},
      'bench', now()
    from (
      select n, case n % 100 when 0 then 1 else 1 + (n * 7919::bigint % ${markets})::int end as market
      from generate_series(1, ${sql.lit(counts.trades)}) as n
    ) as spread order by market, n desc`.execute(db)
  await sql`insert into prediction_trade_days (market_id, day, outcome, side, trades, volume_usd, source, fetched_at)
    select market_id, date_trunc('day', at, 'UTC'), outcome, side, count(*), sum(value_usd), 'bench', now()
    from prediction_trades group by 1, 2, 3, 4`.execute(db)
  await transact(pool, (transaction) => refreshSummary(transaction, { now: new Date(), source: 'bench' }))
}
