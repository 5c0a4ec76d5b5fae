import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { inUnits, type Money } from '../pnl/money.ts'
import { pricesInForce } from '../pnl/prices-in-force.ts'
import { unitPrices } from '../pnl/values-in-detail.ts'
import { readRatesAt } from '../prices/read-rates.ts'
import { readSql } from '../read-sql.ts'
import { add, decimal, type Decimal, divide, multiply, sign, ZERO } from '../values/decimal.ts'

export interface ValuePoint {
  atMs: number
  value: Money
}

interface Holding {
  coinId: string | null
  currency: string | null
  position: number
  amount: string
}

/** Instant of the first settled transaction; null: none. */
export async function readFirstAt(db: ReadonlyDb, connectionId: string): Promise<Date | null> {
  const rows = await readSql(
    db,
    sql<{ at: Date }>`
      select at from exchange_transactions where connection_id = ${connectionId} and status = 'ok'
      order by at limit 1`,
  )
  return rows[0]?.at ?? null
}

/**
 * Value of the account at instants (in order), in USD, BTC and ETH, each at the prices of its own instant. Balances are
 * walked back from those the venue states now, so that what is missing from the history shifts nothing that is known.
 * An asset that would be below zero then counts as none.
 */
export async function readExchangeValues(
  db: ReadonlyDb,
  input: { connectionId: string; instantsMs: readonly number[] },
): Promise<ValuePoint[]> {
  const { connectionId, instantsMs } = input
  const instants = instantsMs.map((atMs) => new Date(atMs))
  const holdings = await readSql(
    db,
    sql<Holding>`
      with held as (
        select asset from exchange_balances where connection_id = ${connectionId}
        union select distinct asset from exchange_legs where connection_id = ${connectionId}
      )
      select a.coin_id as "coinId", a.currency, point.position::int,
        coalesce(b.amount, 0) - coalesce(newest.total, 0) + coalesce(past.total, 0) as amount
      from held
      join exchange_connections c on c.id = ${connectionId}
      join exchange_assets a on a.venue = c.venue and a.asset = held.asset
      left join exchange_balances b on b.connection_id = c.id and b.asset = held.asset
      left join lateral (
        select total from exchange_legs where connection_id = ${connectionId} and asset = held.asset
        order by at desc, kind desc, key desc, role desc limit 1
      ) as newest on true
      cross join unnest(${instants}::timestamptz[]) with ordinality as point (at, position)
      left join lateral (
        select total from exchange_legs
        where connection_id = ${connectionId} and asset = held.asset and at <= point.at
        order by at desc, kind desc, key desc, role desc limit 1
      ) as past on true
      where coalesce(a.coin_id, a.currency) is not null`,
  )
  const positive = holdings
    .map((one) => ({ ...one, index: one.position - 1, quantity: decimal(one.amount) }))
    .filter(({ quantity }) => sign(quantity) > 0)
  const usd = instantsMs.map(() => ZERO)
  const coins = positive.filter(({ coinId }) => coinId !== null)
  const prices = await pricesInForce(
    db,
    coins.map(({ coinId, index }) => ({ coinId: coinId!, atMs: instantsMs[index]! })),
  )
  coins.forEach(({ index, quantity }, i) => {
    const price = prices[i]
    if (price) usd[index] = add(usd[index]!, multiply(quantity, price.usd))
  })
  for (const [currency, amounts] of Map.groupBy(
    positive.filter((one) => one.currency !== null),
    (one) => one.currency!,
  )) {
    const rates = await readRatesAt(db, { currency, instants })
    if (!rates) continue
    for (const { index, quantity } of amounts)
      usd[index] = add(usd[index]!, inUsd(quantity, decimal(rates[index]!)))
  }
  const units = await unitPrices(db, instantsMs)
  return instantsMs.map((atMs, index) => ({ atMs, value: inUnits(usd[index]!, ...units[index]!) }))
}

const inUsd = (amount: Decimal, perUsd: Decimal): Decimal => divide(amount, perUsd)
