import { formatDecimal } from '../../values/decimal.ts'
import type { DatedPostings } from './fold-lots.ts'
import type { Posting } from './posting.ts'

const PHASES = { acquire: 0, carry: 1, dispose: 2, unvalued: 3 } as const

/**
 * Splits entries of one instant into their postings and lets acquisitions come first, so that fills that pay
 * for each other have lots, whatever their order. Sorted by content, so that ids change nothing.
 */
export function acquisitionsFirst<Entry extends DatedPostings>(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length < 2) return entries
  return entries
    .flatMap((entry) => entry.postings.map((posting) => ({ entry, posting, key: sortKey(posting) })))
    .sort(
      (a, b) =>
        PHASES[a.posting.kind] - PHASES[b.posting.kind] || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    )
    .map(({ entry, posting }) => ({ ...entry, postings: [posting] }))
}

function sortKey(posting: Posting): string {
  if (posting.kind === 'carry') return ''
  if (posting.kind === 'unvalued') return posting.coinId
  const usd = posting.kind === 'acquire' ? posting.costUsd : posting.proceedsUsd
  return [posting.coinId, formatDecimal(posting.quantity), formatDecimal(usd), posting.reason].join(' ')
}
