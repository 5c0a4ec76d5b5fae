import { csvLine } from '../data/csv-line.ts'
import type { Seen } from './see-upload.ts'
import type { Imported, Problem } from './state-movements.ts'

/** Whole lists of a preview, which itself shows the first of each. */
export const LISTS = {
  'to-add.csv': ({ toAdd, lines }: Seen) => transactionLines(toAdd, lines),
  'repeats.csv': ({ repeats, lines }: Seen) => transactionLines(repeats, lines),
  'refused.csv': ({ refused, lines }: Seen) => problemLines(refused, lines),
  'left-out.csv': ({ left, lines }: Seen) => problemLines(left, lines),
} as const satisfies Record<string, (seen: Seen) => Iterable<string>>

export type ListName = keyof typeof LISTS
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

type Lines = Seen['lines']

function* problemLines(problems: readonly Problem[], lines: Lines): Generator<string> {
  yield csvLine(['line', 'text', 'reason'])
  for (const { line, reason } of problems) yield csvLine([line, lines.get(line), reason])
}

function* transactionLines(transactions: readonly Imported[], lines: Lines): Generator<string> {
  yield csvLine(['line', 'text', 'date', 'coin', 'count', 'price', 'currency', 'note'])
  for (const { line, stated } of transactions) {
    const { at, coinId, count, price, currency, note } = stated
    yield csvLine([line, lines.get(line), at.toISOString(), coinId, count, price, currency, note])
  }
}
