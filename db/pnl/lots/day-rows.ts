import { type Insertable, sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { type Decimal, decimal, formatDecimal, isZero } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'
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

/** Costs of what a fold holds of a coin before a month, for the method `average`. */
export async function readHeldCosts(
  db: Db,
  input: { foldId: string; coinId: string; before: Date },
): Promise<HeldCosts | undefined> {
  const months = sql`coin_fold_days where fold_id = ${input.foldId} and coin_id = ${input.coinId} and month < ${input.before}`
  const { rows } = await sql<{ held: string; days: [day: number, cost: string][] | null }>`
    select held, (
      select json_agg(json_build_array(day, cost::text)) from (
        select (entry ->> 0)::integer as day, sum((entry ->> 3)::numeric) as cost
        from (select days from ${months}) as stored cross join jsonb_array_elements(days) as entry group by 1
      ) as sums
    ) as days
    from ${months} order by month desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const costs = (row.days ?? []).map(([day, cost]) => [day, decimal(cost)] as const)
  return { held: decimal(row.held), costs: new Map(costs.filter(([, cost]) => !isZero(cost))) }
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
export async function readDaySums(db: ReadonlyDb, foldId: string): Promise<DaySums[]> {
  const rows = await readSql(
    db,
    sql<{ day: number; acquired: string; disposed: string; cost: string }>`
      with stored as materialized (
        select coin_id, month, held, days from coin_fold_days where fold_id = ${foldId}
      ), latest as (
        select distinct on (coin_id) coin_id, held from stored order by coin_id, month desc
      )
      select (entry ->> 0)::integer as day, sum((entry ->> 1)::numeric) as acquired,
        sum((entry ->> 2)::numeric) as disposed, round(sum((entry ->> 3)::numeric * latest.held), 30) as cost
      from stored join latest using (coin_id) cross join jsonb_array_elements(days) as entry
      group by 1 order by 1`,
  )
  return rows.map(({ day, acquired, disposed, cost }) => ({
    atMs: day * DAY_MS,
    acquired: decimal(acquired),
    disposed: decimal(disposed),
    cost: decimal(cost),
  }))
}
