import { lockMatches } from '../../db/prediction/locks.ts'
import {
  readCandidates,
  readVenuesInUse,
  readMarketsToMatch,
  readWordedMarkets,
  type WordedMarket,
} from '../../db/prediction/read-for-matching.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { type ComparedPair, replaceMatches, storeMatchStates } from '../../db/prediction/write-matches.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { compareTerms, MATCH_METHOD } from './matching/compare-terms.ts'
import { matchKeys } from './matching/match-keys.ts'
import { readTerms, type Terms } from './matching/read-terms.ts'

/** Limit of candidates per market and other venue. */
const MOST_CANDIDATES = 6

/**
 * Compares markets whose texts are new or changed with candidates of the other venues. A market finds those
 * that were read before it; markets read later find it. `next` is null when no market is left.
 */
export async function matchMarkets(
  { pool, now }: Pick<ActivityDeps, 'pool' | 'now'>,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<{ compared: number; next: number | null }> {
  return transact(pool, async (transaction) => {
    const { db } = transaction
    await lockMatches(transaction)
    const markets = await readMarketsToMatch(db, { method: MATCH_METHOD, afterId, limit })
    if (markets.length === 0) return { compared: 0, next: null }
    const stamp = { method: MATCH_METHOD, source: 'computed', now: now() }
    const terms = new Map(markets.map((market) => [market.id, termsOf(market)]))
    const keys = new Map([...terms].map(([id, read]) => [id, matchKeys(read)]))
    const at = (venue: PredictionVenue, id: number): string[] => keys.get(id)!.map((key) => `${venue} ${key}`)
    await storeMatchStates(transaction, {
      ...stamp,
      states: markets.map(({ id, venue, digest }) => ({ id, digest, keys: at(venue, id) })),
    })
    const inUse = await readVenuesInUse(db, PREDICTION_VENUES)
    const candidates = await readCandidates(db, {
      wanted: markets.flatMap(({ id, venue }) =>
        inUse.filter((other) => other !== venue).map((other) => ({ id, keys: at(other, id) })),
      ),
      most: MOST_CANDIDATES,
    })
    const unread = candidates.map(({ otherId }) => otherId).filter((id) => !terms.has(id))
    const others = await readWordedMarkets(db, [...new Set(unread)])
    for (const other of others) terms.set(other.id, termsOf(other))
    const venues = new Map([...markets, ...others].map(({ id, venue }) => [id, venue]))
    await replaceMatches(transaction, {
      ...stamp,
      marketIds: markets.map(({ id }) => id),
      pairs: candidates.map(({ id, otherId }): ComparedPair => {
        const isFirst = rankOf(venues.get(id)!) < rankOf(venues.get(otherId)!)
        const [polymarketId, kalshiId] = isFirst ? [id, otherId] : [otherId, id]
        return { polymarketId, kalshiId, ...compareTerms(terms.get(polymarketId)!, terms.get(kalshiId)!) }
      }),
    })
    return { compared: markets.length, next: markets.length < limit ? null : markets.at(-1)!.id }
  })
}

const rankOf = (venue: PredictionVenue) => PREDICTION_VENUES.indexOf(venue)

function termsOf({ strikeType, floorStrike, capStrike, ...market }: WordedMarket): Terms {
  const strike = strikeType === null ? null : { type: strikeType, floor: floorStrike, cap: capStrike }
  return readTerms({ ...market, strike })
}
