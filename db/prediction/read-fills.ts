import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { Transaction } from '../transact.ts'

export interface TraderFill {
  traderId: number
  marketId: number
  at: Date
  outcome: number
  side: 'buy' | 'sell'
  price: string
  size: string
}

export interface FilledMarket {
  id: number
  category: string
  resolvedAt: Date | null
  /** by position */
  prices: string[]
  payouts: (string | null)[]
}

/**
 * Traders with new fills or resolutions, locked until the end of the transaction. Code that stores fills
 * locks their traders first, in the same order, so that no fill slips in between.
 */
export async function lockDirtyTraders({ db }: Transaction, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from prediction_traders where dirty order by address limit ${limit} for no key update`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** All fills of the traders, by trader and market, oldest first. */
export async function readTraderFills(db: Db, traderIds: readonly number[]): Promise<TraderFill[]> {
  const { rows } = await sql<TraderFill>`
    select trader_id as "traderId", market_id as "marketId", at, outcome, side, price, size from prediction_trades
    where trader_id = any(${traderIds}::int[]) order by trader_id, market_id, at, id`.execute(db)
  return rows
}

/** An ended market without a date of its end counts as ended at its last change. */
export async function readFilledMarkets(db: Db, ids: readonly number[]): Promise<FilledMarket[]> {
  const { rows } = await sql<FilledMarket>`
    select m.id, coalesce(m.category, '') as category,
      case when m.status in ('resolved', 'cancelled') then coalesce(m.resolved_at, m.end_at, m.updated_at) end as "resolvedAt",
      array_agg(o.price order by o.position)::text[] as prices, array_agg(o.payout order by o.position)::text[] as payouts
    from prediction_markets m join prediction_outcomes o on o.market_id = m.id
    where m.id = any(${ids}::int[]) group by m.id`.execute(db)
  return rows
}

/** Daily prices of first outcomes, oldest first. */
export async function readDailyPrices(
  db: Db,
  ids: readonly number[],
): Promise<{ marketId: number; outcome: number; at: Date; price: string }[]> {
  const { rows } = await sql<{ marketId: number; outcome: number; at: Date; price: string }>`
    select market_id as "marketId", outcome, at, price from prediction_prices
    where market_id = any(${ids}::int[]) and minutes = 1440 order by market_id, outcome, at`.execute(db)
  return rows
}
