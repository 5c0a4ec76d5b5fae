import { type KnownMarket, readMarkets } from '../../db/prediction/read-for-ingest.ts'
import {
  storeOrderBooks,
  storeDetailState,
  storeHolders,
  storePoints,
} from '../../db/prediction/write-details.ts'
import { clearMarketFailure, noteMarketFailure } from '../../db/prediction/write-failures.ts'
import { markTraders } from '../../db/prediction/write-traders.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { inHalves } from '../many-items.ts'
import { loadHistory } from './load-history.ts'
import type { Venue, Venues } from './venues.ts'

/**
 * Reads order books, holders, open interest and prices. A market that the venue refuses is set aside, and the others
 * go on. Returns the number of new or changed prices.
 */
export async function loadDetails(
  deps: ActivityDeps,
  venues: Venues,
  { marketIds }: { marketIds: readonly number[] },
): Promise<number> {
  const markets = await readMarkets(deps.db, marketIds)
  const interest = await readOpenInterest(venues, markets)
  let changed = 0
  for (const market of markets) {
    const part = { marketId: market.id, part: 'details' } as const
    try {
      changed += await loadMarket(deps, venues[market.venue], {
        market,
        openInterestUsd: interest.get(market.conditionId ?? '') ?? null,
      })
      await clearMarketFailure(deps.db, part)
    } catch (error) {
      if (!(error instanceof SourceRejected)) throw error
      await noteMarketFailure(deps.db, { ...part, failure: error.message, at: deps.now() })
    }
    deps.heartbeat()
  }
  return changed
}

/** USD by condition. One market that its venue refuses must not cost the others theirs. */
async function readOpenInterest(
  venues: Venues,
  markets: readonly KnownMarket[],
): Promise<Map<string, string>> {
  const found: [string, string][] = []
  for (const [name, ofVenue] of Map.groupBy(markets, ({ venue }) => venue)) {
    const { openInterest } = venues[name]
    if (!openInterest) continue
    await inHalves(
      ofVenue.flatMap(({ conditionId }) => conditionId ?? []),
      async (some) => void found.push(...(await openInterest(some))),
      () => {},
      (error) => error instanceof SourceRejected,
    )
  }
  return new Map(found)
}

async function loadMarket(
  deps: ActivityDeps,
  venue: Venue,
  { market, openInterestUsd }: { market: KnownMarket; openInterestUsd: string | null },
): Promise<number> {
  const { id: marketId, statedVolume } = market
  const [orderBooks, holders, history] = await Promise.all([
    // An ended market has no order book, and the order book service does not know its tokens.
    market.status === 'open' ? (venue.orderBooks?.(market) ?? []) : [],
    venue.holders?.(market) ?? [],
    loadHistory(venue, { market, now: deps.now() }),
  ])
  const fetchedAt = deps.now()
  const stamp = { marketId, source: venue.sources.details, fetchedAt }
  const isFirst = market.pricesAt === null
  return transact(deps.pool, async (transaction) => {
    if (isFirst && history.points.length > 0)
      await markTraders(transaction, { marketId, holders: holders.map(({ trader }) => trader.address) })
    await storeOrderBooks(transaction.db, { ...stamp, books: orderBooks })
    await storeHolders(transaction, { ...stamp, holders })
    await storeDetailState(transaction.db, {
      marketId,
      statedVolume,
      openInterestUsd,
      detailAt: fetchedAt,
      pricesAt: history.to,
    })
    return storePoints(transaction, { ...stamp, isFirst, points: history.points })
  })
}
