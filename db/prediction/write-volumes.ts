import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { startOfRange } from './start-of-range.ts'

/**
 * Sums the volumes of Kalshi's markets from their trades, price times size: the venue itself counts contracts.
 * Polymarket states its volumes in USD.
 */
export async function refreshKalshiVolumes(db: Db, now: Date): Promise<void> {
  await sql`
    with kalshi as (
      select id from prediction_markets where venue = 'kalshi'
    ), days as (
      select market_id, sum(volume_usd) filter (where day >= ${startOfRange('1w', now)}) as week, sum(volume_usd) as total
      from prediction_trade_days join kalshi on kalshi.id = market_id group by market_id
    ), latest as (
      select market_id, sum(value_usd) as day from prediction_trades join kalshi on kalshi.id = market_id
      where at > ${now}::timestamptz - interval '1 day' group by market_id
    ), sums as (
      select kalshi.id, coalesce(latest.day, 0) as day, coalesce(days.week, 0) as week, coalesce(days.total, 0) as total
      from kalshi left join days on days.market_id = kalshi.id left join latest on latest.market_id = kalshi.id
    )
    update prediction_markets m set volume_24h_usd = sums.day, volume_7d_usd = sums.week, volume_total_usd = sums.total
    from sums where sums.id = m.id
      and (m.volume_24h_usd, m.volume_7d_usd, m.volume_total_usd) is distinct from (sums.day, sums.week, sums.total)`.execute(
    db,
  )
}
