import { csvLine } from '../../../db/values/csv-line.ts'
import type { Seen } from './see-upload.ts'
import type { Imported, Problem } from './state-movements.ts'

/** Whole lists of a preview, which itself shows the first of each. */
export const LISTS = {
  'to-add.csv': ({ toAdd, lines }: Seen) => transactionLines(toAdd, lines),
  'repeats.csv': ({ repeats, lines }: Seen) => transactionLines(repeats, lines),
  'refused.csv': ({ refused, lines }: Seen) => problemLines(refused, lines),
  'left-out.csv': ({ left, lines }: Seen) => problemLines(left, lines),
} as const satisfies Record<string, (seen: Seen) => string>

export type ListName = keyof typeof LISTS
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

type Lines = Seen['lines']

const problemLines = (problems: readonly Problem[], lines: Lines): string =>
  [
    csvLine(['line', 'text', 'reason']),
    ...problems.map(({ line, reason }) => csvLine([line, lines.get(line), reason])),
  ].join('')

const transactionLines = (transactions: readonly Imported[], lines: Lines): string =>
  [
    csvLine(['line', 'text', 'date', 'coin', 'count', 'price', 'currency', 'note']),
    ...transactions.map(({ line, stated: { at, coinId, count, price, currency, note } }) =>
      csvLine([line, lines.get(line), at.toISOString(), coinId, count, price, currency, note]),
    ),
  ].join('')
