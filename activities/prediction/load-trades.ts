import { type KnownMarket, readMarkets } from '../../db/prediction/read-for-ingest.ts'
import { clearMarketFailure, noteMarketFailure, storeTradeGap } from '../../db/prediction/write-failures.ts'
import { storeWalk, type WalkPlace } from '../../db/prediction/walks.ts'
import { storeTrades } from '../../db/prediction/write-trades.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { PredictionSources } from './prediction-sources.ts'
import type { TradePage } from './venue-data.ts'
import type { Venue, Venues } from './venues.ts'

export interface TradesResult {
  /** number of new fills */
  trades: number
  quarantined: number
}

/** A fill may appear some seconds after fills that are newer than it. */
const LOOKBACK_MS = 60_000

/** How far back the market feeds of Polymarket reach. */
const POLYMARKET_YEARS = 3

/**
 * Reads the fills of markets from the newest back to those already loaded. Each page is committed with its
 * cursor, so that a killed walk continues from there. A market that the venue refuses is set aside, and the others
 * go on.
 */
export async function loadTrades(
  deps: ActivityDeps,
  { sources, venues }: { sources: PredictionSources; venues: Venues },
  { marketIds }: { marketIds: readonly number[] },
): Promise<TradesResult> {
  const total: TradesResult = { trades: 0, quarantined: 0 }
  const markets = await readMarkets(deps.db, marketIds)
  const archivedBefore = markets.some(({ venue }) => venue === 'kalshi')
    ? (await sources.kalshi().cutoff()).tradesAt
    : null
  for (const market of markets) {
    const archived = archivedBefore !== null && market.createdAt < archivedBefore
    const part = { marketId: market.id, part: 'trades' } as const
    try {
      await walk(deps, venues[market.venue], { market, archived, total })
      await clearMarketFailure(deps.db, part)
    } catch (error) {
      if (!(error instanceof SourceRejected)) throw error
      await noteMarketFailure(deps.db, { ...part, failure: error.message, at: deps.now() })
    }
  }
  return total
}

async function walk(
  deps: ActivityDeps,
  venue: Venue,
  options: { market: KnownMarket; archived: boolean; total: TradesResult },
): Promise<void> {
  const { market, archived, total } = options
  const { trades: read } = venue
  if (!read) return
  let hasStartedOver = false
  let before: WalkPlace = market
  for (let state: Walk | null = startOf(market); state !== null;) {
    let page: TradePage
    try {
      page = await read({ market, cursor: state.cursor })
    } catch (error) {
      if (!(error instanceof SourceRejected) || state.cursor === null || hasStartedOver) throw error
      // The cursor may be of another version of the service. Fills that come twice are stored once.
      hasStartedOver = true
      state = { cursor: null, to: null }
      continue
    }
    if (page.next?.startsWith('archive:') && !archived) page.next = null
    const { trades, next } = await storePage(deps, venue, { market, page, walk: state, before })
    total.trades += trades
    total.quarantined += page.quarantined.length
    state = next
    before = { loadedTo: market.loadedTo, walkCursor: next?.cursor ?? null }
    deps.heartbeat()
  }
}

/** Cursor of a walk, and the instant up to which fills are loaded when it ends. */
interface Walk {
  cursor: string | null
  to: Date | null
}

const startOf = ({ walkCursor, walkTo }: KnownMarket): Walk => ({ cursor: walkCursor, to: walkTo })

async function storePage(
  deps: ActivityDeps,
  { sources: { details: source }, share }: Venue,
  { market, page, walk, before }: { market: KnownMarket; page: TradePage; walk: Walk; before: WalkPlace },
): Promise<{ trades: number; next: Walk | null }> {
  const { id: marketId, loadedTo, statedVolume } = market
  const fetchedAt = deps.now()
  const to = walk.to ?? page.trades[0]?.at ?? loadedTo
  const oldest = page.trades.at(-1)?.at
  const known =
    loadedTo !== null && oldest !== undefined && oldest.getTime() < loadedTo.getTime() - LOOKBACK_MS
  const next = page.next === null || known ? null : { cursor: page.next, to }
  const gap = known ? null : (page.gap ?? (next ? null : unreachable(market, fetchedAt)))
  const { trades, isStored } = await transact(deps.pool, async (transaction) => {
    await quarantineRows(transaction.db, {
      source,
      area: 'prediction',
      quarantined: page.quarantined,
      fetchedAt,
    })
    const stored = await storeTrades(transaction, { marketId, trades: page.trades, share, source, fetchedAt })
    if (gap)
      await storeTradeGap(transaction.db, {
        marketId,
        from: gap.after ?? loadedTo,
        to: gap.before,
        reason: gap.reason,
        source,
        fetchedAt,
      })
    const isStored = await storeWalk(transaction.db, {
      marketId,
      before,
      hasQuarantined: page.quarantined.length > 0,
      ...(next
        ? { loadedTo, walkCursor: next.cursor, walkTo: to, statedVolume: null }
        : { loadedTo: to, walkCursor: null, walkTo: null, statedVolume }),
    })
    return { trades: stored, isStored }
  })
  return { trades, next: isStored ? next : null }
}

/** A market that is older than what the feeds of its venue reach back to. */
function unreachable({ venue, createdAt, loadedTo }: KnownMarket, now: Date): TradePage['gap'] | null {
  const before = new Date(now)
  before.setUTCFullYear(before.getUTCFullYear() - POLYMARKET_YEARS)
  if (venue !== 'polymarket' || loadedTo !== null || createdAt >= before) return null
  return { before, reason: `Polymarket gives the fills of ${POLYMARKET_YEARS} years` }
}
