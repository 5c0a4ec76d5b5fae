import { type RawBuilder, sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'
import { decimal, formatDecimal, ZERO } from '../values/decimal.ts'
import type { CoinState, Move } from './coin-state.ts'
import type { CoinFoldRow, CoinMoveRow } from './tables.ts'

/** Units of account, as the names of columns end. */
export const UNITS = ['usd', 'btc', 'eth'] as const
export type Unit = (typeof UNITS)[number]
export type InUnits<T> = Record<Unit, T>

/** The latest state of every coin of a scope, or the one before a month. One index probe per coin. */
export async function readCoinStates(
  db: Db | ReadonlyDb,
  input: { scopeId: string; before?: Date; coinId?: string | undefined },
): Promise<Map<string, InUnits<CoinState>>> {
  const { scopeId, before, coinId } = input
  const scope = sql`scope_id = ${scopeId}`
  const until = before ? sql`month < ${before}` : sql`true`
  const latest = (id: RawBuilder<unknown>) => sql`
    select * from coin_folds where ${scope} and coin_id = ${id} and ${until} order by month desc limit 1`
  const rows = await readSql(
    db,
    coinId !== undefined
      ? sql<CoinFoldRow>`${latest(sql`${coinId}`)}`
      : sql<CoinFoldRow>`
          with recursive held (coin_id) as (
            (select coin_id from coin_folds where ${scope} order by coin_id limit 1)
            union all
            select (select coin_id from coin_folds where ${scope} and coin_id > held.coin_id order by coin_id limit 1)
            from held where held.coin_id is not null
          )
          select state.* from held cross join lateral (${latest(sql`held.coin_id`)}) as state`,
  )
  return new Map(rows.map((row) => [row.coin_id, inUnits((unit) => stateOfRow(row, unit))]))
}

export function foldRow(input: {
  scopeId: string
  coinId: string
  month: Date
  states: InUnits<CoinState>
}): CoinFoldRow {
  const { usd, btc, eth } = input.states
  const text = formatDecimal
  const last = usd.lastTrade
  const amounts = (unit: Unit, { cost, acquired, disposed, disposedCost, sold, lastTrade }: CoinState) => ({
    [`cost_${unit}`]: text(cost),
    [`acquired_${unit}`]: text(acquired.amount),
    [`disposed_${unit}`]: text(disposed.amount),
    [`disposed_cost_${unit}`]: text(disposedCost),
    [`sold_${unit}`]: text(sold.amount),
    [`last_${unit}`]: lastTrade && text(lastTrade.amount),
  })
  return {
    ...{ scope_id: input.scopeId, coin_id: input.coinId, month: input.month },
    quantity: text(usd.quantity),
    acquired_quantity: text(usd.acquired.quantity),
    disposed_quantity: text(usd.disposed.quantity),
    sold_quantity: text(usd.sold.quantity),
    uncovered: text(usd.uncovered),
    last_side: last && last.side,
    last_quantity: last && text(last.quantity),
    ...amounts('usd', usd),
    ...amounts('btc', btc),
    ...amounts('eth', eth),
  } as CoinFoldRow
}

function stateOfRow(row: CoinFoldRow, unit: Unit): CoinState {
  const { last_side: side, last_quantity: quantity } = row
  const last = row[`last_${unit}`]
  return {
    quantity: decimal(row.quantity),
    cost: decimal(row[`cost_${unit}`]),
    acquired: { quantity: decimal(row.acquired_quantity), amount: decimal(row[`acquired_${unit}`]) },
    disposed: { quantity: decimal(row.disposed_quantity), amount: decimal(row[`disposed_${unit}`]) },
    disposedCost: decimal(row[`disposed_cost_${unit}`]),
    sold: { quantity: decimal(row.sold_quantity), amount: decimal(row[`sold_${unit}`]) },
    lastTrade: side && { side, quantity: decimal(quantity!), amount: last ? decimal(last) : ZERO },
    uncovered: decimal(row.uncovered),
  }
}

/** The moves of a scope since an instant, in each unit. */
export async function readMoves(
  db: ReadonlyDb,
  input: { scopeId: string; from: Date },
): Promise<InUnits<Move[]>> {
  const rows = await db
    .selectFrom('coin_moves')
    .selectAll()
    .where('scope_id', '=', input.scopeId)
    .where('at', '>=', input.from)
    .orderBy('at')
    .orderBy('seq')
    .execute()
  return inUnits((unit) =>
    rows.map((row) => ({
      ...{ coinId: row.coin_id, atMs: row.at.getTime(), isTrade: row.is_trade },
      quantity: decimal(row.quantity),
      amount: decimal(row[`amount_${unit}`]),
      market: decimal(row[`market_${unit}`]),
    })),
  )
}

export function moveRow(input: { scopeId: string; seq: number; moves: InUnits<Move> }): CoinMoveRow {
  const { usd, btc, eth } = input.moves
  const amounts = (unit: Unit, { amount, market }: Move) => ({
    [`amount_${unit}`]: formatDecimal(amount),
    [`market_${unit}`]: formatDecimal(market),
  })
  return {
    ...{ scope_id: input.scopeId, at: new Date(usd.atMs), seq: input.seq, coin_id: usd.coinId },
    ...{ quantity: formatDecimal(usd.quantity), is_trade: usd.isTrade },
    ...amounts('usd', usd),
    ...amounts('btc', btc),
    ...amounts('eth', eth),
  } as CoinMoveRow
}

export function inUnits<T>(of: (unit: Unit) => T): InUnits<T> {
  return { usd: of('usd'), btc: of('btc'), eth: of('eth') }
}
