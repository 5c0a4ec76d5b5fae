import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { LeaderPeriod } from './leader-periods.ts'

export const TRADER_SORTS = {
  pnl: 'rank_pnl',
  volume: 'rank_volume',
  roi: 'rank_roi',
  winRate: 'rank_win_rate',
  tradesCount: 'rank_trades',
} as const
export type TraderSort = keyof typeof TRADER_SORTS

export interface ServedLeader {
  trader_id: number
  rank: number
  address: string
  name: string | null
  avatar_url: string | null
  pnl_usd: string
  roi: string
  volume_usd: string
  win_rate: string
  trades: number
  markets_traded: number
  open_positions: number
  open_value_usd: string
}

const openOf = sql`
  select count(*)::int as positions, coalesce(sum(p.shares * o.price), 0) as value
  from prediction_positions p join prediction_outcomes o on o.market_id = p.market_id and o.position = p.outcome
  where p.trader_id = l.trader_id and p.status = 'open'`

/**
 * One page of a leaderboard and its number of traders. Without further filters a page is a range of ranks.
 */
export async function readLeaderPage(
  db: ReadonlyDb,
  input: {
    period: LeaderPeriod
    category: string
    sortBy: TraderSort
    minVolume?: string | undefined
    search?: string | undefined
    limit: number
    offset: number
  },
): Promise<{ rows: ServedLeader[]; itemCount: number }> {
  const { period, category, sortBy, minVolume, search, limit, offset } = input
  const rank = sql.ref(`l.${TRADER_SORTS[sortBy]}`)
  const ranked = minVolume === undefined && search === undefined
  const prefix = search === undefined ? null : `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const conditions = sql`l.period = ${period} and l.category = ${category}
    and (${minVolume ?? null}::numeric is null or l.volume_usd >= ${minVolume ?? null}::numeric)
    and (${prefix}::text is null or l.trader_id in (
      select id from prediction_traders where lower(name) like ${prefix} or address like ${prefix}))`
  const counted = ranked
    ? sql<{
        n: number
      }>`select coalesce(max(rank_pnl), 0) as n from prediction_leaders where period = ${period} and category = ${category}`
    : sql<{ n: number }>`select count(*)::int as n from prediction_leaders l where ${conditions}`
  const window = ranked
    ? sql`${rank} > ${offset}::bigint and ${rank} <= ${offset + limit}::bigint`
    : sql`true`
  const skip = ranked ? sql`` : sql`limit ${limit} offset ${offset}`
  const [counts, rows] = await Promise.all([
    readSql(db, counted),
    readSql<ServedLeader>(
      db,
      sql`select l.trader_id, ${rank} as rank, t.address, t.name, t.avatar_url, l.pnl_usd, l.roi, l.volume_usd, l.win_rate, l.trades,
          l.markets_traded, open.positions as open_positions, open.value as open_value_usd
        from (
          select * from prediction_leaders l where ${conditions} and ${window} order by ${rank} ${skip}
        ) as l join prediction_traders t on t.id = l.trader_id cross join lateral (${openOf}) as open order by ${rank}`,
    ),
  ])
  return { rows, itemCount: counts[0]!.n }
}

/** Traders by their ids, in that order, as on the all-time leaderboard. */
export async function readLeaders(db: ReadonlyDb, ids: readonly number[]): Promise<ServedLeader[]> {
  if (ids.length === 0) return []
  return readSql<ServedLeader>(
    db,
    sql`select l.trader_id, l.rank_pnl as rank, t.address, t.name, t.avatar_url, l.pnl_usd, l.roi, l.volume_usd, l.win_rate, l.trades,
        l.markets_traded, open.positions as open_positions, open.value as open_value_usd
      from unnest(${ids}::int[]) with ordinality as wanted (id, place)
      join prediction_leaders l on l.trader_id = wanted.id and l.period = 'all' and l.category = ''
      join prediction_traders t on t.id = l.trader_id cross join lateral (${openOf}) as open order by wanted.place`,
  )
}

export interface ServedTrader {
  id: number
  address: string
  name: string | null
  avatar_url: string | null
}

export async function readTrader(db: ReadonlyDb, address: string): Promise<ServedTrader | undefined> {
  return (
    await readSql<ServedTrader>(
      db,
      sql`select id, address, name, avatar_url from prediction_traders where address = ${address}`,
    )
  )[0]
}

/** A trader's leaderboard rows in every period and category. */
export async function readTraderPlaces(
  db: ReadonlyDb,
  traderId: number,
): Promise<
  {
    period: LeaderPeriod
    category: string
    pnl_usd: string
    roi: string
    volume_usd: string
    win_rate: string
    trades: number
    markets_traded: number
  }[]
> {
  return readSql(
    db,
    sql`select period, category, pnl_usd, roi, volume_usd, win_rate, trades, markets_traded from prediction_leaders
      where trader_id = ${traderId} order by period, volume_usd desc`,
  )
}

export interface TraderSums {
  open_positions: number
  open_value_usd: string
  realized_usd: string
  unrealized_usd: string
  biggest_win: string
  biggest_loss: string
  first_at: Date | null
  last_at: Date | null
}

export async function readTraderSums(db: ReadonlyDb, traderId: number): Promise<TraderSums> {
  const rows = await readSql<TraderSums>(
    db,
    sql`select count(*) filter (where p.status = 'open')::int as open_positions,
        coalesce(sum(p.shares * o.price) filter (where p.status = 'open'), 0) as open_value_usd,
        coalesce(sum(p.realized_usd), 0) as realized_usd,
        coalesce(sum(p.shares * o.price - p.cost_usd) filter (where p.status = 'open'), 0) as unrealized_usd,
        greatest(coalesce(max(p.realized_usd) filter (where p.status <> 'open'), 0), 0) as biggest_win,
        least(coalesce(min(p.realized_usd) filter (where p.status <> 'open'), 0), 0) as biggest_loss,
        (select min(at) from prediction_trades where trader_id = ${traderId}) as first_at,
        (select max(at) from prediction_trades where trader_id = ${traderId}) as last_at
      from prediction_positions p join prediction_outcomes o on o.market_id = p.market_id and o.position = p.outcome
      where p.trader_id = ${traderId}`,
  )
  return rows[0]!
}
