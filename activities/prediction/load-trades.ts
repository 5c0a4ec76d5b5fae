import { type KnownMarket, readMarkets } from '../../db/prediction/read-for-ingest.ts'
import { storeWalk } from '../../db/prediction/write-details.ts'
import { storeTrades } from '../../db/prediction/write-trades.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import type { PredictionSources } from './prediction-sources.ts'
import { KALSHI } from './sources/kalshi.ts'
import { POLYMARKET_DATA } from './sources/polymarket-data.ts'
import type { TradePage } from './venue-data.ts'

export interface TradesResult {
  /** number of new fills */
  trades: number
  quarantined: number
}

/** A fill may appear some seconds after fills that are newer than it. */
const LOOKBACK_MS = 60_000

/**
 * Reads the fills of markets from the newest back to those already loaded. Each page is committed with its
 * cursor, so that a killed walk continues from there.
 */
export async function loadTrades(
  deps: ActivityDeps,
  sources: PredictionSources,
  { marketIds }: { marketIds: readonly number[] },
): Promise<TradesResult> {
  const total: TradesResult = { trades: 0, quarantined: 0 }
  const markets = await readMarkets(deps.db, marketIds)
  const archivedBefore = markets.some(({ venue }) => venue === 'kalshi')
    ? (await sources.kalshi().cutoff()).tradesAt
    : null
  for (const market of markets) {
    const archived = archivedBefore !== null && market.createdAt < archivedBefore
    for (let state: Walk | null = startOf(market); state !== null;) {
      const page = await readPage(sources, { market, cursor: state.cursor })
      if (page.next?.startsWith('archive:') && !archived) page.next = null
      const { trades, next } = await storePage(deps, { market, page, walk: state })
      total.trades += trades
      total.quarantined += page.quarantined.length
      state = next
      deps.heartbeat()
    }
  }
  return total
}

/** Cursor of a walk, and the instant up to which fills are loaded when it ends. */
interface Walk {
  cursor: string | null
  to: Date | null
}

const startOf = ({ walkCursor, walkTo }: KnownMarket): Walk => ({ cursor: walkCursor, to: walkTo })

function readPage(
  sources: PredictionSources,
  { market, cursor }: { market: KnownMarket; cursor: string | null },
): Promise<TradePage> {
  const source = market.venue === 'polymarket' ? sources.data() : sources.kalshi()
  return source.trades({ market, cursor })
}

async function storePage(
  deps: ActivityDeps,
  { market, page, walk }: { market: KnownMarket; page: TradePage; walk: Walk },
): Promise<{ trades: number; next: Walk | null }> {
  const { id: marketId, venue, loadedTo, statedVolume } = market
  const source = venue === 'polymarket' ? POLYMARKET_DATA : KALSHI
  const fetchedAt = deps.now()
  const to = walk.to ?? page.trades[0]?.at ?? loadedTo
  const oldest = page.trades.at(-1)?.at
  const known =
    loadedTo !== null && oldest !== undefined && oldest.getTime() < loadedTo.getTime() - LOOKBACK_MS
  const next = page.next === null || known ? null : { cursor: page.next, to }
  const trades = await transact(deps.pool, async (transaction) => {
    await quarantineRows(transaction.db, {
      source,
      area: 'prediction',
      quarantined: page.quarantined,
      fetchedAt,
    })
    const share = venue === 'polymarket' ? '0.5' : '1'
    const stored = await storeTrades(transaction, { marketId, trades: page.trades, share, source, fetchedAt })
    await storeWalk(
      transaction.db,
      next
        ? { marketId, loadedTo, walkCursor: next.cursor, walkTo: to, statedVolume: null }
        : { marketId, loadedTo: to, walkCursor: null, walkTo: null, statedVolume },
    )
    return stored
  })
  return { trades, next }
}
