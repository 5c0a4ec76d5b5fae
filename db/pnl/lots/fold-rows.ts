import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { decimal, formatDecimal, ZERO } from '../../values/decimal.ts'
import { startOfPeriod } from '../../values/periods.ts'
import { holderRows } from '../holders.ts'
import type { Move, OpenLot, StoredCoin } from './coin-state.ts'
import type { CoinFoldRow, CoinMoveRow } from '../tables.ts'

/** Units of account, as suffixes of column names. */
export const UNITS = ['usd', 'btc', 'eth'] as const
export type Unit = (typeof UNITS)[number]
export type InUnits<T> = Record<Unit, T>

/** A row as it is read and written whole, without the defaults of its columns. */
export type FoldRow = Selectable<CoinFoldRow>
export type MoveRow = Selectable<CoinMoveRow>

const AMOUNTS = ['cost', 'acquired', 'disposed', 'disposed_cost', 'sold', 'last']
export const FIGURES = [
  'coin_id',
  'quantity',
  'acquired_quantity',
  'disposed_quantity',
  'sold_quantity',
  'uncovered',
  'last_side',
  'last_quantity',
  'unvalued_quantity',
  'paid_usd',
  ...UNITS.flatMap((unit) => AMOUNTS.map((name) => `${name}_${unit}`)),
]

/** A stored lot. Its numbers are texts, so that no digit is lost. */
type LotText = [atMs: number, seq: number, quantity: string, cost: string, unitCost: string]

/**
 * Latest state of each coin of a fold, without lots. With `before`: the last state before that month, with
 * its lots. One index probe per coin.
 */
export async function readCoinStates(
  db: Db | ReadonlyDb,
  input: { foldId: string; before?: Date; coinId?: string | undefined },
): Promise<ReadonlyMap<string, InUnits<StoredCoin>>> {
  const { foldId, before, coinId } = input
  const fold = sql`fold_id = ${foldId}`
  const columns = sql.raw(before ? '*' : FIGURES.join(', '))
  const until = before ? sql`month < ${before}` : sql`true`
  const latest = (id: RawBuilder<unknown>) => sql`
    select ${columns} from coin_folds where ${fold} and coin_id = ${id} and ${until} order by month desc limit 1`
  return holderRows(['coin states', foldId, before, coinId], async () => {
    const rows = await readSql(
      db,
      coinId !== undefined
        ? sql<FoldRow>`${latest(sql`${coinId}`)}`
        : sql<FoldRow>`
            select state.* from fold_coins(${foldId}) as held (coin_id)
            cross join lateral (${latest(sql`held.coin_id`)}) as state`,
    )
    return new Map(rows.map((row) => [row.coin_id, inUnits((unit) => stateOfRow(row, unit))]))
  })
}

export function foldRow(input: {
  foldId: string
  coinId: string
  month: Date
  states: InUnits<StoredCoin>
}): FoldRow {
  const { usd, btc, eth } = input.states
  const text = formatDecimal
  const last = usd.lastTrade
  const amounts = (unit: Unit, coin: StoredCoin) => ({
    [`cost_${unit}`]: text(coin.cost),
    [`acquired_${unit}`]: text(coin.acquired.amount),
    [`disposed_${unit}`]: text(coin.disposed.amount),
    [`disposed_cost_${unit}`]: text(coin.disposedCost),
    [`sold_${unit}`]: text(coin.sold.amount),
    [`last_${unit}`]: coin.lastTrade && text(coin.lastTrade.amount),
    [`lots_${unit}`]: coin.lots && coin.lots.map(textOfLot),
  })
  return {
    fold_id: input.foldId,
    coin_id: input.coinId,
    month: input.month,
    quantity: text(usd.quantity),
    acquired_quantity: text(usd.acquired.quantity),
    disposed_quantity: text(usd.disposed.quantity),
    sold_quantity: text(usd.sold.quantity),
    uncovered: text(usd.uncovered),
    unvalued_quantity: text(usd.unvalued),
    paid_usd: text(usd.paid),
    last_side: last && last.side,
    last_quantity: last && text(last.quantity),
    ...amounts('usd', usd),
    ...amounts('btc', btc),
    ...amounts('eth', eth),
  } as FoldRow
}

export function stateOfRow(row: FoldRow, unit: Unit): StoredCoin {
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
    unvalued: decimal(row.unvalued_quantity),
    paid: decimal(row.paid_usd),
    lots: (row[`lots_${unit}`] as LotText[] | null)?.map(lotOfText) ?? null,
  }
}

function textOfLot({ atMs, seq, quantity, cost, unitCost }: OpenLot): LotText {
  return [atMs, seq, formatDecimal(quantity), formatDecimal(cost), formatDecimal(unitCost)]
}

function lotOfText([atMs, seq, quantity, cost, unitCost]: LotText): OpenLot {
  return { atMs, seq, quantity: decimal(quantity), cost: decimal(cost), unitCost: decimal(unitCost) }
}

/** Moves of a fold since an instant, in each unit. */
export async function readMoves(
  db: ReadonlyDb,
  input: { foldId: string; from: Date },
): Promise<InUnits<Move[]>> {
  const { foldId, from } = input
  const rows = await readMoveRows(db, { foldId, fromMs: startOfPeriod('hourly', from.getTime()) })
  const recent = rows.filter(({ at }) => at >= from)
  return inUnits((unit) =>
    recent.map((row) => ({
      coinId: row.coin_id,
      atMs: row.at.getTime(),
      isTrade: row.is_trade,
      quantity: decimal(row.quantity),
      amount: decimal(row[`amount_${unit}`]),
      market: decimal(row[`market_${unit}`]),
      paid: decimal(row.paid_usd),
    })),
  )
}

/** `fromMs`: the start of an hour, because one question an hour is kept longer than one a minute. */
const readMoveRows = (
  db: ReadonlyDb,
  { foldId, fromMs }: { foldId: string; fromMs: number },
): Promise<readonly Selectable<CoinMoveRow>[]> =>
  holderRows(['moves', foldId, fromMs], () =>
    db
      .selectFrom('coin_moves')
      .selectAll()
      .where('fold_id', '=', foldId)
      .where('at', '>=', new Date(fromMs))
      .orderBy('at')
      .orderBy('seq')
      .execute(),
  )

export function moveRow(input: { foldId: string; seq: number; moves: InUnits<Move> }): MoveRow {
  const { usd, btc, eth } = input.moves
  const amounts = (unit: Unit, { amount, market }: Move) => ({
    [`amount_${unit}`]: formatDecimal(amount),
    [`market_${unit}`]: formatDecimal(market),
  })
  return {
    fold_id: input.foldId,
    at: new Date(usd.atMs),
    seq: input.seq,
    coin_id: usd.coinId,
    quantity: formatDecimal(usd.quantity),
    is_trade: usd.isTrade,
    paid_usd: formatDecimal(usd.paid),
    ...amounts('usd', usd),
    ...amounts('btc', btc),
    ...amounts('eth', eth),
  } as MoveRow
}

export function inUnits<T>(of: (unit: Unit) => T): InUnits<T> {
  return { usd: of('usd'), btc: of('btc'), eth: of('eth') }
}
