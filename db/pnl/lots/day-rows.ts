import { type Insertable, sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { type Decimal, decimal, formatDecimal } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'
import { holderRows } from '../holders.ts'
import type { CoinFoldDaysRow } from '../tables.ts'
import type { HeldCosts, MonthAmounts } from './day-amounts.ts'

export function dayRow(input: {
  foldId: string
  month: Date
  amounts: MonthAmounts
}): Insertable<CoinFoldDaysRow> {
  const { coinId, held, days } = input.amounts
  const text = formatDecimal
  return {
    fold_id: input.foldId,
    coin_id: coinId,
    month: input.month,
    held: text(held),
    days: days.map(({ day, amounts: { acquired, disposed, cost } }) => [
      day,
      text(acquired),
      text(disposed),
      text(cost),
    ]),
  }
}

/** `held` of each coin of a fold before a month. One index probe per coin. */
export async function readHeld(
  db: Db,
  input: { foldId: string; before: Date },
): Promise<Map<string, Decimal>> {
  const { rows } = await sql<{ coin_id: string; held: string }>`
    select coin.id as coin_id, latest.held from fold_coins(${input.foldId}) as coin (id) cross join lateral (
      select held from coin_fold_days where fold_id = ${input.foldId} and coin_id = coin.id and month < ${input.before}
      order by month desc limit 1
    ) as latest`.execute(db)
  return new Map(rows.map((row) => [row.coin_id, decimal(row.held)]))
}

/** Costs of a coin of a fold before a month. */
export async function readHeldCosts(
  db: Db,
  input: { foldId: string; coinId: string; before: Date },
): Promise<HeldCosts> {
  const { rows } = await sql<{ day: number; cost: string }>`
    select (entry ->> 0)::integer as day, sum((entry ->> 3)::numeric) as cost
    from coin_fold_days cross join jsonb_array_elements(days) as entry
    where fold_id = ${input.foldId} and coin_id = ${input.coinId} and month < ${input.before}
    group by 1 having sum((entry ->> 3)::numeric) <> 0`.execute(db)
  return new Map(rows.map(({ day, cost }) => [day, decimal(cost)]))
}

/** Amounts of a fold from one day, in USD. */
export interface DaySums {
  atMs: number
  acquired: Decimal
  disposed: Decimal
  /** cost of what is still held of what was acquired that day */
  cost: Decimal
}

/** Amounts of all coins of a fold by day, oldest first. */
export const readDaySums = (db: ReadonlyDb, foldId: string): Promise<readonly DaySums[]> =>
  holderRows(['day sums', foldId], async () => {
    const rows = await readSql(
      db,
      sql<{ day: number; acquired: string; disposed: string; cost: string }>`
        select (entry ->> 0)::integer as day, sum((entry ->> 1)::numeric) as acquired,
          sum((entry ->> 2)::numeric) as disposed, round(sum((entry ->> 3)::numeric * latest.held), 30) as cost
        from fold_coins(${foldId}) as coin (id)
        cross join lateral (
          select held from coin_fold_days where fold_id = ${foldId} and coin_id = coin.id order by month desc limit 1
        ) as latest
        join coin_fold_days on fold_id = ${foldId} and coin_id = coin.id
        cross join jsonb_array_elements(days) as entry
        group by 1 order by 1`,
    )
    return rows.map(({ day, acquired, disposed, cost }) => ({
      atMs: day * DAY_MS,
      acquired: decimal(acquired),
      disposed: decimal(disposed),
      cost: decimal(cost),
    }))
  })
