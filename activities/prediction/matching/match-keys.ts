import type { Terms } from './read-terms.ts'

const MOST_WORDS = 6

/**
 * Two markets that ask the same share at least one of these keys: a word and a threshold; a word and a month
 * when the figure comes in small steps; else two telling words. Few enough markets share a key to compare
 * them all.
 */
export function matchKeys({ words, bounds, period, periods, endsAt }: Terms): string[] {
  const telling = [...words.firm, ...words.loose].slice(0, MOST_WORDS)
  const inSteps = bounds !== null && ['percent', 'bps', 'degrees'].includes(bounds.unit ?? '')
  if (bounds !== null && !inSteps) {
    const value = Number((bounds.low ?? bounds.high)!.toPrecision(3))
    return telling.map((word) => `${word} ${value}`)
  }
  const last = period?.to ?? periods[0]?.to ?? endsAt?.toISOString() ?? ''
  if (bounds !== null) return telling.map((word) => `${word} ${last.slice(0, 7)}`)
  const years = telling.length <= 2 ? telling.map((word) => `${word} ${last.slice(0, 4)}`) : []
  const pairs = telling.flatMap((word, i) =>
    telling.slice(i + 1).map((other) => [word, other].toSorted().join(' ')),
  )
  return [...new Set([...pairs, ...years])]
}
