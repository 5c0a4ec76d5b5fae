import { type Insertable, sql } from 'kysely'
import type { Db } from '../../schema.ts'
import type { Move } from './coin-state.ts'
import { type InUnits, moveRow } from './fold-rows.ts'
import type { FoldRow, MoveRow } from './fold-rows.ts'
import type { DayUses } from './lot-uses.ts'
import type { CoinFoldDaysRow } from '../tables.ts'
import type { LotUsesRow } from '../lot-tables.ts'

const FOLD_KEY = ['fold_id', 'coin_id', 'month']

/** Writes the coin states of a fold at the end of a month. Compares first, as most are stored already. */
export async function storeMonth(
  db: Db,
  { foldId, month, rows }: { foldId: string; month: Date; rows: readonly FoldRow[] },
): Promise<void> {
  const [first] = rows
  if (!first) return
  const values = Object.keys(first).filter((column) => !FOLD_KEY.includes(column)) as (keyof FoldRow)[]
  const texts = values.map((column) => sql.raw(`coalesce(${column}::text, '')`))
  const { rows: stored } = await sql<{ coin_id: string; text: string }>`
    select coin_id, concat_ws(' ', ${sql.join(texts)}) as text from coin_folds
    where fold_id = ${foldId} and month = ${month}`.execute(db)
  const textByCoin = new Map(stored.map((row) => [row.coin_id, row.text]))
  const textOf = (row: FoldRow) => values.map((column) => storedText(row[column])).join(' ')
  const changed = rows.filter((row) => textByCoin.get(row.coin_id) !== textOf(row))
  await storeRows(db, { table: 'coin_folds', key: FOLD_KEY, rows: changed })
}

/** Formats a value as Postgres does. The simple replacement is safe, because texts in lots are numbers. */
function storedText(value: unknown): string {
  return typeof value === 'string' ? value : value ? JSON.stringify(value).replaceAll(',', ', ') : ''
}

/** Writes the amounts by day of a fold in a month. */
export async function storeMonthDays(db: Db, rows: readonly Insertable<CoinFoldDaysRow>[]): Promise<void> {
  await storeRows(db, { table: 'coin_fold_days', key: FOLD_KEY, rows })
}

/** Writes the lot uses of a fold by day. */
export async function storeUses(
  db: Db,
  { foldId, days }: { foldId: string; days: readonly DayUses[] },
): Promise<void> {
  const rows = days.map((day): LotUsesRow => ({ fold_id: foldId, ...day }))
  await storeRows(db, { table: 'lot_uses', key: ['fold_id', 'day'], rows })
}

/** Deletes the lot uses of a fold from a day on, except those of the days `kept`. */
export async function deleteUsesBut(
  db: Db,
  { foldId, from, kept }: { foldId: string; from: Date; kept: readonly Date[] },
): Promise<void> {
  await sql`
    delete from lot_uses where fold_id = ${foldId} and day >= ${from} and day <> all(${[...kept]}::timestamptz[])`.execute(
    db,
  )
}

/** Deletes the rows of a fold from a month on, except `kept`. */
export async function deleteMonthsBut(
  db: Db,
  { foldId, from, kept }: { foldId: string; from: Date; kept: readonly { coinId: string; month: Date }[] },
): Promise<void> {
  for (const table of ['coin_folds', 'coin_fold_days'])
    await sql`
      delete from ${sql.table(table)} where fold_id = ${foldId} and month >= ${from} and (coin_id, month) not in (
        select * from unnest(${kept.map(({ coinId }) => coinId)}::text[], ${kept.map(({ month }) => month)}::timestamptz[]))`.execute(
      db,
    )
}

/** Replaces the moves of a fold. */
export async function storeMoves(
  db: Db,
  { foldId, moves }: { foldId: string; moves: InUnits<Move[]> },
): Promise<void> {
  const rows = movesOf(foldId, moves)
  await storeRows(db, { table: 'coin_moves', key: ['fold_id', 'at', 'seq'], rows })
  await sql`
    delete from coin_moves where fold_id = ${foldId} and (at, seq) not in (
      select * from unnest(${rows.map(({ at }) => at)}::timestamptz[], ${rows.map(({ seq }) => seq)}::integer[]))`.execute(
    db,
  )
}

/** Numbers the moves within their instant, so that a move keeps its row while it is in the last 24 hours. */
function movesOf(foldId: string, { usd, btc, eth }: InUnits<Move[]>): MoveRow[] {
  const counts = new Map<number, number>()
  return usd.map((move, index) => {
    const seq = counts.get(move.atMs) ?? 0
    counts.set(move.atMs, seq + 1)
    return moveRow({ foldId, seq, moves: { usd: move, btc: btc[index]!, eth: eth[index]! } })
  })
}

/**
 * Upserts rows by column name. Numbers are sent as text, so that no digit is lost. Skips equal rows, because
 * each replaced row stays in the history for a long time.
 */
async function storeRows(
  db: Db,
  {
    table,
    key,
    rows,
  }: {
    table: 'coin_folds' | 'coin_fold_days' | 'lot_uses' | 'coin_moves'
    key: readonly string[]
    rows: readonly object[]
  },
): Promise<void> {
  const [first] = rows
  if (!first) return
  const name = sql.table(table)
  const list = (columns: readonly string[], of = '') =>
    sql.join(columns.map((column) => sql.raw(`${of}${column}`)))
  const columns = Object.keys(first)
  const values = columns.filter((column) => !key.includes(column))
  const changes = values.map((column) => sql.raw(`${column} = excluded.${column}`))
  await sql`
    insert into ${name} as stored (${list(columns)})
    select ${list(columns)} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)})
    on conflict (${list(key)}) do update set ${sql.join(changes)}
    where (${list(values, 'stored.')}) is distinct from (${list(values, 'excluded.')})`.execute(db)
}
