import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'
import { LEADER_PERIODS } from './leader-periods.ts'
import { startOfRange } from './start-of-range.ts'

/**
 * Rebuilds the leaderboards of all periods and categories. P&L of a period is the cash of its days plus the
 * value of the open shares at its end minus their value at its start. The win rate is that of the positions
 * closed in the period.
 */
export async function replaceLeaders(
  { db }: Transaction,
  { now, source }: { now: Date; source: string },
): Promise<number> {
  await sql`delete from prediction_leaders`.execute(db)
  let places = 0
  for (const period of LEADER_PERIODS) {
    const start = startOfRange(period, now)
    const { rows } = await sql<{ places: number }>`
      with flows as (
        select trader_id, category, sum(cash_usd) as cash, sum(paid_usd) as paid, sum(volume_usd) as volume,
          sum(trades)::int as trades
        from prediction_trader_days where ${start}::timestamptz is null or day >= ${start} group by 1, 2
      ), by_category as (
        select f.*, coalesce((
            select open_value_usd from prediction_trader_days d
            where d.trader_id = f.trader_id and d.category = f.category and d.day = date_trunc('day', ${now}::timestamptz, 'UTC')
          ), 0) as final, coalesce((
            select open_value_usd from prediction_trader_days d
            where d.trader_id = f.trader_id and d.category = f.category and d.day = ${start}::timestamptz - interval '1 day'
          ), 0) as initial
        from flows f
      ), closed as (
        select p.trader_id, coalesce(m.category, '') as category, count(*) as positions,
          count(*) filter (where p.realized_usd > 0) as won
        from prediction_positions p join prediction_markets m on m.id = p.market_id
        where p.status <> 'open' and (${start}::timestamptz is null or p.closed_at >= ${start}) group by 1, 2
      ), traded as (
        select p.trader_id, coalesce(m.category, '') as category, count(distinct p.market_id)::int as markets
        from prediction_positions p join prediction_markets m on m.id = p.market_id
        where ${start}::timestamptz is null or coalesce(p.closed_at, 'infinity') >= ${start} group by 1, 2
      ), sums as (
        select b.trader_id, b.category, b.cash + b.final - b.initial as pnl, b.volume, b.initial + b.paid as capital, b.trades,
          coalesce(c.positions, 0) as positions, coalesce(c.won, 0) as won, coalesce(t.markets, 0) as markets
        from by_category b left join closed c using (trader_id, category) left join traded t using (trader_id, category)
        where b.trades > 0 or b.final <> 0 or b.initial <> 0 or b.cash <> 0
      ), totals as (
        select trader_id, category, pnl, volume, capital, trades, positions, won, markets from sums where category <> ''
        union all
        select trader_id, '', sum(pnl), sum(volume), sum(capital), sum(trades)::int, sum(positions), sum(won), sum(markets)::int
        from sums group by trader_id
      ), rated as (
        select *, case when capital > 0 then round(pnl * 100 / capital, 4) else 0 end as roi,
          case when positions > 0 then round(won::numeric / positions, 6) else 0 end as win_rate
        from totals
      ), placed as (
        insert into prediction_leaders (period, category, trader_id, pnl_usd, volume_usd, roi, win_rate, trades, markets_traded,
          rank_pnl, rank_volume, rank_roi, rank_win_rate, rank_trades, source, fetched_at)
        select ${period}, category, trader_id, pnl, volume, roi, win_rate, trades, markets,
          row_number() over (partition by category order by pnl desc, trader_id),
          row_number() over (partition by category order by volume desc, trader_id),
          row_number() over (partition by category order by roi desc, trader_id),
          row_number() over (partition by category order by win_rate desc, pnl desc, trader_id),
          row_number() over (partition by category order by trades desc, trader_id), ${source}, ${now}
        from rated returning 1
      ) select count(*)::int as places from placed`.execute(db)
    places += rows[0]!.places
  }
  return places
}
