import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { startOfRange } from './start-of-range.ts'

/**
 * Sums volumes of markets from their trades, price times size. Kalshi counts contracts, and Limitless states what was
 * traded in USD since the market began, without a day or a week. Polymarket states all three.
 */
export async function refreshSummedVolumes(db: Db, now: Date): Promise<void> {
  await sql`
    with summed as (
      select id, venue = 'limitless' as is_stated, volume_total_usd as stated
      from prediction_markets where venue in ('kalshi', 'limitless')
    ), days as (
      select market_id, sum(volume_usd) filter (where day >= ${startOfRange('1w', now)}) as week, sum(volume_usd) as total
      from prediction_trade_days join summed on summed.id = market_id group by market_id
    ), latest as (
      select market_id, sum(value_usd) as day from prediction_trades join summed on summed.id = market_id
      where at > ${now}::timestamptz - interval '1 day' group by market_id
    ), sums as (
      select summed.id, coalesce(latest.day, 0) as day, coalesce(days.week, 0) as week,
        case when is_stated then stated else coalesce(days.total, 0) end as total
      from summed left join days on days.market_id = summed.id left join latest on latest.market_id = summed.id
    )
    update prediction_markets m set volume_24h_usd = sums.day, volume_7d_usd = sums.week, volume_total_usd = sums.total
    from sums where sums.id = m.id
      and (m.volume_24h_usd, m.volume_7d_usd, m.volume_total_usd) is distinct from (sums.day, sums.week, sums.total)`.execute(
    db,
  )
}
