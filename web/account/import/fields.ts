import { absolute, type Decimal, decimal, isZero } from '../../../db/values/decimal.ts'
import { parseInstant } from '../../../db/values/time.ts'
import type { Amount, Entry, Movement, Row } from './movement.ts'

/** Thrown for a field that cannot be read. The message is shown to the owner. */
export class Unreadable extends Error {}

/** Reads each line by itself. */
export const lineByLine = (read: (row: Row) => Movement | string) => (rows: readonly Row[]) =>
  rows.map((row) => entryOf(row.line, () => read(row)))

/** What became of a line: `read` returns a movement, or why the line is none. */
export function entryOf(line: number, read: () => Movement | string): Entry {
  try {
    const result = read()
    return typeof result === 'string' ? { line, left: result } : { line, movement: result }
  } catch (error) {
    if (error instanceof Unreadable) return { line, refused: error.message }
    throw error
  }
}

const NUMBER = /^[+-]?\d{1,40}(\.\d{0,40})?(e[+-]?\d{1,2})?$/i
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/

/** A number, with its sign; signs of currencies before it and commas between thousands are left out. */
export function numberIn(row: Row, column: string): Decimal | null {
  const text = row.get(column).replace(/^([+-]?)\s*[\p{Sc}\p{L}]+\s*(?=[\d.])/u, '$1')
  if (text === '') return null
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text
  if (!NUMBER.test(plain))
    throw new Unreadable(`${column}: "${row.get(column)}" is not a number with a decimal point`)
  return decimal(plain.replace(/^\+/, ''))
}

/** An amount of an asset without its sign; null: none. */
export function amountIn(row: Row, column: string, asset: string): Amount | null {
  const amount = numberIn(row, column)
  if (amount === null || isZero(amount)) return null
  if (asset === '') throw new Unreadable(`${column}: the coin or currency of the amount is missing`)
  return { amount: absolute(amount), asset }
}

/** The same as a list, for fees. */
export function amountsIn(row: Row, column: string, asset: string): Amount[] {
  const amount = amountIn(row, column, asset)
  return amount ? [amount] : []
}

const SPACED = /^(\d{2}|\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?( UTC|Z)?$/
const EUROPEAN = /^(\d\d)[-/.](\d\d)[-/.](\d{4})$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/

/** An instant. A time without a zone is UTC. */
export function timeIn(row: Row, column: string): Date {
  const text = row.get(column)
  const instant =
    parseInstant(text) ??
    parseInstant(
      text
        .replace(
          SPACED,
          (_, year: string, month: string, day: string, time: string, seconds = ':00') =>
            `${year.padStart(4, '20')}-${month}-${day}T${time}${seconds}Z`,
        )
        .replace(EUROPEAN, '$3-$2-$1')
        .replace(COMPACT, '$1-$2-$3'),
    )
  if (!instant) throw new Unreadable(`${column}: "${text}" is not a time such as 2026-01-31 18:30:00`)
  return instant
}

/** A note of at most 1,000 characters; null: none. */
export const noteOf = (...texts: string[]): string | null => {
  const text = texts.filter((one) => one !== '').join(', ')
  return text.replace(/\p{C}/gu, ' ').normalize('NFC').slice(0, 1_000) || null
}
