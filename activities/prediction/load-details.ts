import { type KnownMarket, readMarkets } from '../../db/prediction/read-for-ingest.ts'
import {
  storeOrderBooks,
  storeDetailState,
  storeHolders,
  storePoints,
} from '../../db/prediction/write-details.ts'
import { clearMarketFailure, noteMarketFailure } from '../../db/prediction/write-failures.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { inHalves } from '../many-items.ts'
import { complementOrderBook, loadHistory } from './load-history.ts'
import type { PredictionSources } from './prediction-sources.ts'
import { KALSHI } from './sources/kalshi.ts'
import { POLYMARKET_DATA } from './sources/polymarket-data.ts'
import type { OrderBook, HolderRow } from './venue-data.ts'

/**
 * Reads order books, holders, open interest and prices. A market that the venue refuses is set aside, and the others
 * go on. Returns the number of new or changed prices.
 */
export async function loadDetails(
  deps: ActivityDeps,
  sources: PredictionSources,
  { marketIds }: { marketIds: readonly number[] },
): Promise<number> {
  const markets = await readMarkets(deps.db, marketIds)
  const conditions = markets.flatMap(({ conditionId }) => conditionId ?? [])
  const interest =
    conditions.length > 0 ? await readOpenInterest(sources, conditions) : new Map<string, string>()
  let changed = 0
  for (const market of markets) {
    const part = { marketId: market.id, part: 'details' } as const
    try {
      changed += await loadMarket(deps, sources, {
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

/** One market that the venue refuses must not cost the others theirs. */
async function readOpenInterest(
  sources: PredictionSources,
  conditions: readonly string[],
): Promise<Map<string, string>> {
  const found: [string, string][] = []
  const read = async (some: readonly string[]) =>
    void found.push(...(await sources.data().openInterest(some)))
  await inHalves(
    conditions,
    read,
    () => {},
    (error) => error instanceof SourceRejected,
  )
  return new Map(found)
}

async function loadMarket(
  deps: ActivityDeps,
  sources: PredictionSources,
  { market, openInterestUsd }: { market: KnownMarket; openInterestUsd: string | null },
): Promise<number> {
  const { id: marketId, venue, statedVolume } = market
  const [orderBooks, holders, history] = await Promise.all([
    readOrderBooks(sources, market),
    readHolders(sources, market),
    loadHistory(sources, { market, now: deps.now() }),
  ])
  const fetchedAt = deps.now()
  const source = venue === 'polymarket' ? POLYMARKET_DATA : KALSHI
  const stamp = { marketId, source, fetchedAt }
  return transact(deps.pool, async (transaction) => {
    await storeOrderBooks(transaction.db, { ...stamp, books: orderBooks })
    await storeHolders(transaction, { ...stamp, holders })
    await storeDetailState(transaction.db, {
      marketId,
      statedVolume,
      openInterestUsd,
      detailAt: fetchedAt,
      pricesAt: history.to,
    })
    const isFirst = market.pricesAt === null
    return storePoints(transaction, { ...stamp, isFirst, points: history.points })
  })
}

/** An ended market has no order book, and the order book service does not know its tokens. */
async function readOrderBooks(
  sources: PredictionSources,
  market: KnownMarket,
): Promise<(OrderBook & { outcome: number })[]> {
  if (market.status !== 'open') return []
  if (market.venue === 'kalshi') {
    const orderBook = await sources.kalshi().orderBook(market)
    return [
      { outcome: 0, ...orderBook },
      { outcome: 1, ...complementOrderBook(orderBook) },
    ]
  }
  const books = await Promise.all(
    market.outcomeIds.map(async (tokenId, outcome) => {
      const book = await sources.clob().orderBook(tokenId)
      return book ? [{ outcome, ...book }] : []
    }),
  )
  return books.flat()
}

/** Kalshi does not identify holders. */
async function readHolders(sources: PredictionSources, market: KnownMarket): Promise<HolderRow[]> {
  return market.venue === 'polymarket' ? sources.data().holders(market) : []
}
