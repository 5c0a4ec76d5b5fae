import { lockMatches } from '../../db/prediction/locks.ts'
import { type EventPair, readEventPairs } from '../../db/prediction/read-for-matching.ts'
import { replaceEventMatches } from '../../db/prediction/write-matches.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { cleanText } from './matching/clean-text.ts'
import { MATCH_METHOD, SAME_SCORE } from './matching/compare-terms.ts'
import { readPeriods } from './matching/read-periods.ts'
import { namePhrases, readWords } from './matching/words.ts'

/** Matches events by their matching markets. Returns the number of pairs. */
export async function matchEvents({ pool, now }: Pick<ActivityDeps, 'pool' | 'now'>): Promise<number> {
  return transact(pool, async (transaction) => {
    await lockMatches(transaction)
    const pairs = await readEventPairs(transaction.db, SAME_SCORE)
    await replaceEventMatches(transaction, {
      method: MATCH_METHOD,
      source: 'computed',
      now: now(),
      pairs: pairs.map((pair) => ({ ...pair, score: scoreEvents(pair) })),
    })
    return pairs.length
  })
}

/**
 * Mean score of the matching markets, reduced by up to 30 % when few markets match and the titles differ.
 * Thresholds or candidates that only one venue lists do not make it a different event.
 */
export function scoreEvents({
  polymarketTitle,
  kalshiTitle,
  common,
  fewest,
  score,
}: Omit<EventPair, 'polymarketId' | 'kalshiId'>): number {
  const [a, b] = [titleWords(polymarketTitle), titleWords(kalshiTitle)]
  const shorter = Math.min(a.length, b.length)
  const titles = shorter === 0 ? 0 : a.filter((word) => b.includes(word)).length / shorter
  return Number((score * (0.7 + 0.3 * Math.max(Math.min(common / fewest, 1), titles))).toFixed(4))
}

/** The telling words of a title without its dates. */
function titleWords(title: string): string[] {
  const { firm, loose } = readWords(namePhrases(readPeriods(cleanText(title), new Date(0)).rest))
  return [...firm, ...loose]
}
