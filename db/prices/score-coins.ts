import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Days of closes used for a score, and the minimum number of daily changes. */
const DAYS = 30
const FEWEST_CHANGES = 14

/**
 * Computes the risk scores of all listed coins that have a volume, a market capitalisation and enough daily
 * closes, as described in docs/figures.md. Uses doubles: these are statistics, not money. Returns how many
 * coins have scores.
 */
export async function scoreCoins(db: Db, input: { now: Date }): Promise<number> {
  const { now } = input
  const { rows } = await sql<{ count: number }>`
    with changes as (
      -- Look up coin by coin: reading the days of all coins before the window is many times more.
      select quote.coin_id, ln((day.usd / lag(day.usd) over (partition by quote.coin_id order by day.at))::float8) as change
      from coin_quotes quote cross join lateral (
        select at, usd from price_days
        where coin_id = quote.coin_id and at > ${now}::timestamptz - ${DAYS + 1} * interval '1 day' and at <= ${now}
          and usd > 0
        offset 0
      ) as day
    ), volatility as (
      select coin_id, stddev_samp(change) as deviation, avg(abs(exp(change) - 1)) * 100 as avg_change
      from changes where change is not null group by coin_id having count(*) >= ${FEWEST_CHANGES}
    ), scores as (
      select quote.coin_id, volatility.avg_change,
        least(greatest((log(quote.volume_24h_usd) - 3) / 7 * 100, 0), 100)::float8 as liquidity,
        least(volatility.deviation / 0.1 * 100, 100) as volatility,
        least(greatest((log(quote.market_cap_usd) - 5) / 7 * 100, 0), 100)::float8 as market_cap
      from coin_quotes quote join volatility on volatility.coin_id = quote.coin_id
      join coins coin on coin.id = quote.coin_id and coin.delisted_at is null
      where quote.volume_24h_usd > 0 and quote.market_cap_usd > 0
    ), stored as (
      insert into coin_risks as risk
        (coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change, source, fetched_at)
      select coin_id, round(liquidity::numeric, 2), round(volatility::numeric, 2), round(market_cap::numeric, 2),
        round((0.4 * volatility + 0.3 * (100 - liquidity) + 0.3 * (100 - market_cap))::numeric, 2),
        round(avg_change::numeric, 4), 'derived', ${now}
      from scores order by coin_id
      on conflict (coin_id) do update set
        liquidity_score = excluded.liquidity_score, volatility_score = excluded.volatility_score,
        market_cap_score = excluded.market_cap_score, risk_score = excluded.risk_score,
        avg_change = excluded.avg_change, fetched_at = excluded.fetched_at
      returning risk.coin_id
    ), gone as (
      delete from coin_risks where coin_id not in (select coin_id from scores)
    )
    select count(*)::integer as count from stored`.execute(db)
  return rows[0]!.count
}
