import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface ServedOrderBook {
  bids: [price: string, size: string][]
  asks: [price: string, size: string][]
  tick_size: string | null
  at: Date
}

export async function readOrderBook(
  db: ReadonlyDb,
  { marketId, outcome }: { marketId: number; outcome: number },
): Promise<ServedOrderBook | undefined> {
  const rows = await readSql<ServedOrderBook>(
    db,
    sql`select bids, asks, tick_size, at from prediction_books where market_id = ${marketId} and outcome = ${outcome}`,
  )
  return rows[0]
}

export interface ServedHolder {
  outcome: number
  rank: number
  address: string
  name: string | null
  avatar_url: string | null
  shares: string
  /** fraction of all shares of the outcome, 0 to 1; null: unknown */
  share: string | null
  average_price: string | null
  fetched_at: Date
}

/** The largest holders of each outcome, with their average price from the stored fills. */
export async function readHolders(
  db: ReadonlyDb,
  { marketId, outcomes, limit }: { marketId: number; outcomes: readonly number[]; limit: number },
): Promise<ServedHolder[]> {
  return readSql<ServedHolder>(
    db,
    sql`select h.outcome, h.rank, t.address, t.name, t.avatar_url, h.shares, h.fetched_at,
        h.shares / greatest(nullif(m.open_interest_usd, 0), sum(h.shares) over (partition by h.outcome)) as share,
        case when p.bought_shares > 0 then p.bought_usd / p.bought_shares end as average_price
      from prediction_holders h join prediction_traders t on t.id = h.trader_id join prediction_markets m on m.id = h.market_id
      left join prediction_positions p on p.trader_id = h.trader_id and p.market_id = h.market_id and p.outcome = h.outcome
      where h.market_id = ${marketId} and h.outcome = any(${outcomes}::smallint[]) and h.rank <= ${limit}
      order by h.outcome, h.rank`,
  )
}

export interface HistoryPoint {
  at: Date
  price: string
}

/**
 * Prices of an outcome at the ends of periods of `minutes`, oldest first, from the series of `stored`
 * minutes.
 */
export async function readHistory(
  db: ReadonlyDb,
  input: { marketId: number; outcome: number; stored: number; minutes: number; from: Date | null; to: Date },
): Promise<HistoryPoint[]> {
  const { marketId, outcome, stored, minutes, from, to } = input
  return readSql<HistoryPoint>(
    db,
    sql`select at, price from prediction_prices
      where market_id = ${marketId} and outcome = ${outcome} and minutes = ${stored} and at <= ${to}
        and (${from}::timestamptz is null or at >= ${from})
        and extract(epoch from at)::bigint % (${minutes}::int * 60) = 0
      order by at`,
  )
}

/** Volume by outcome and period, dated at its end. Daily periods use the stored sums of days. */
export async function readHistoryVolume(
  db: ReadonlyDb,
  input: { marketId: number; share: string; minutes: number; from: Date | null; to: Date },
): Promise<{ outcome: number; at: Date; volume: string }[]> {
  const { marketId, share, minutes, from, to } = input
  if (minutes === 1440)
    return readSql(
      db,
      sql`select outcome, day + interval '1 day' as at, sum(volume_usd) as volume from prediction_trade_days
        where market_id = ${marketId} and day < ${to} and (${from}::timestamptz is null or day >= ${from}::timestamptz - interval '1 day')
        group by 1, 2`,
    )
  return readSql(
    db,
    sql`select outcome, date_bin(make_interval(mins => ${minutes}::int), at, 'epoch') + make_interval(mins => ${minutes}::int) as at,
        sum(value_usd) * ${share}::numeric as volume
      from prediction_trades
      where market_id = ${marketId} and at < ${to} and (${from}::timestamptz is null or at >= ${from}::timestamptz - make_interval(mins => ${minutes}::int))
      group by 1, 2`,
  )
}
