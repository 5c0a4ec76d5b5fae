import { sql } from 'kysely'
import { copyRows, type CopyValue } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'

const POSITION_COLUMNS = [
  'trader_id',
  'market_id',
  'outcome',
  'shares',
  'cost_usd',
  'bought_shares',
  'bought_usd',
  'realized_usd',
  'status',
  'opened_at',
  'closed_at',
  'source',
  'fetched_at',
]
const DAY_COLUMNS = [
  'trader_id',
  'category',
  'day',
  'cash_usd',
  'paid_usd',
  'open_value_usd',
  'volume_usd',
  'trades',
  'source',
  'fetched_at',
]

/** Replaces the positions and days of traders; rows follow the order of the column lists. */
export async function replaceTraders(
  { db, client }: Transaction,
  input: {
    traderIds: readonly number[]
    positions: Iterable<readonly CopyValue[]>
    days: Iterable<readonly CopyValue[]>
  },
): Promise<void> {
  const { traderIds, positions, days } = input
  await sql`delete from prediction_positions where trader_id = any(${traderIds}::int[])`.execute(db)
  await sql`delete from prediction_trader_days where trader_id = any(${traderIds}::int[])`.execute(db)
  await copyRows(client, {
    table: 'prediction_positions',
    columns: POSITION_COLUMNS,
    key: ['trader_id', 'market_id', 'outcome'],
    rows: positions,
  })
  await copyRows(client, {
    table: 'prediction_trader_days',
    columns: DAY_COLUMNS,
    key: ['trader_id', 'category', 'day'],
    rows: days,
  })
  await sql`update prediction_traders set dirty = false where id = any(${traderIds}::int[])`.execute(db)
}

/**
 * Has everybody who traded a market computed again, because its prices of past days are there now. Locks its holders
 * too, whom the transaction stores next: all in one order, as all code that stores traders does.
 */
export async function markTraders(
  { db }: Transaction,
  { marketId, holders }: { marketId: number; holders: readonly string[] },
): Promise<void> {
  const traded = sql`select trader_id from prediction_trades where market_id = ${marketId}`
  await sql`
    select from prediction_traders where id in (${traded}) or address = any(${holders}::text[])
    order by address for no key update`.execute(db)
  await sql`update prediction_traders set dirty = true where not dirty and id in (${traded})`.execute(db)
}

/** Stores the current value of all open positions as the value of today; a new day begins without cash. */
export async function markOpenPositions(
  { db }: Transaction,
  { now, source }: { now: Date; source: string },
): Promise<void> {
  await sql`
    insert into prediction_trader_days as stored
      (trader_id, category, day, cash_usd, paid_usd, open_value_usd, volume_usd, trades, source, fetched_at)
    select p.trader_id, coalesce(m.category, ''), date_trunc('day', ${now}::timestamptz, 'UTC'), 0, 0, sum(p.shares * o.price), 0, 0, ${source}, ${now}
    from prediction_positions p
    join prediction_markets m on m.id = p.market_id
    join prediction_outcomes o on o.market_id = p.market_id and o.position = p.outcome
    where p.status = 'open' group by 1, 2
    on conflict (trader_id, category, day) do update set open_value_usd = excluded.open_value_usd, fetched_at = excluded.fetched_at
      where stored.open_value_usd <> excluded.open_value_usd`.execute(db)
}
