import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { add, subtract, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { CoinState, Totals } from './coin-state.ts'
import { FIGURES, type InUnits, inUnits, stateOfRow } from './fold-rows.ts'
import type { FoldRow } from './fold-rows.ts'

/** Change of a coin's state in one month, in one unit of account. */
export interface MonthChange extends Omit<CoinState, 'lastTrade'> {
  /** arrivals less departures by wraps and the like */
  carried: Totals
}

export interface CoinMonth {
  monthMs: number
  change: InUnits<MonthChange>
}

const NONE: Totals = { quantity: ZERO, amount: ZERO }
const NOTHING: Omit<CoinState, 'lastTrade'> = {
  quantity: ZERO,
  cost: ZERO,
  disposedCost: ZERO,
  uncovered: ZERO,
  unvalued: ZERO,
  paid: ZERO,
  acquired: NONE,
  disposed: NONE,
  sold: NONE,
}

/** Returns the months in which a coin of a fold changed, in order. Their changes add up to its state. */
export async function readCoinMonths(
  db: ReadonlyDb,
  { foldId, coinId }: { foldId: string; coinId: string },
): Promise<CoinMonth[]> {
  const columns = sql.raw(['month', ...FIGURES].join(', '))
  const rows = await readSql(
    db,
    sql<FoldRow>`
      select ${columns} from coin_folds where fold_id = ${foldId} and coin_id = ${coinId} order by month`,
  )
  const states = rows.map((row) => inUnits((unit) => stateOfRow(row, unit)))
  return rows.map((row, index) => ({
    monthMs: row.month.getTime(),
    change: inUnits((unit) => changeOf(states[index]![unit], states[index - 1]?.[unit] ?? NOTHING)),
  }))
}

function changeOf(after: CoinState, before: Omit<CoinState, 'lastTrade'>): MonthChange {
  const of = (name: 'quantity' | 'cost' | 'disposedCost' | 'uncovered' | 'unvalued' | 'paid') =>
    subtract(after[name], before[name])
  const totals = (name: 'acquired' | 'disposed' | 'sold'): Totals => ({
    quantity: subtract(after[name].quantity, before[name].quantity),
    amount: subtract(after[name].amount, before[name].amount),
  })
  const change = {
    quantity: of('quantity'),
    cost: of('cost'),
    disposedCost: of('disposedCost'),
    uncovered: of('uncovered'),
    unvalued: of('unvalued'),
    paid: of('paid'),
    acquired: totals('acquired'),
    disposed: totals('disposed'),
    sold: totals('sold'),
  }
  return { ...change, carried: carriedOf(change) }
}

/** The change that is neither acquired nor disposed of. Uncovered disposals do not reduce the quantity. */
function carriedOf(change: Omit<MonthChange, 'carried'>): Totals {
  const { acquired, disposed, uncovered } = change
  const less = (...[first, ...rest]: [Decimal, ...Decimal[]]) => rest.reduce(subtract, first)
  return {
    quantity: less(add(change.quantity, disposed.quantity), acquired.quantity, uncovered),
    amount: less(add(change.cost, change.disposedCost), acquired.amount),
  }
}
