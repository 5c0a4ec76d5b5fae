import {
  readCursor,
  readMarketsToCheck,
  touchMarkets,
  writeCursor,
} from '../../db/prediction/read-for-ingest.ts'
import { storeMarkets } from '../../db/prediction/write-markets.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import type { PredictionSources } from './prediction-sources.ts'
import { KALSHI } from './sources/kalshi.ts'
import { POLYMARKET_GAMMA } from './sources/polymarket-gamma.ts'
import type { VenuePage } from './venue-data.ts'

/** Lists of each venue: `current` lists change and are read on every run, `past` lists are read once. */
export const LISTS = {
  polymarket: { current: ['open'], past: ['closed'] },
  kalshi: { current: ['open', 'closed'], past: ['settled', 'archive'] },
} as const satisfies Record<PredictionVenue, { current: readonly string[]; past: readonly string[] }>

/** that a venue gives by id in one request */
export const MARKETS_PER_CHECK = 100

export interface PageResult {
  markets: number
  quarantined: number
  /** null: this was the last page */
  next: string | null
}

const sourceOf = (venue: PredictionVenue) => (venue === 'polymarket' ? POLYMARKET_GAMMA : KALSHI)

/** Reads one page of a list of events and stores its markets. */
export async function loadPage(
  deps: ActivityDeps,
  sources: PredictionSources,
  input: { venue: PredictionVenue; list: string; cursor: string | null },
): Promise<PageResult> {
  const page = await readPage(sources, input)
  return storePage(deps, { ...input, page, cursorName: null })
}

/** The same for a `past` list; its cursor is stored with the rows. Null once the list is read to its end. */
export async function loadPastPage(
  deps: ActivityDeps,
  sources: PredictionSources,
  input: { venue: PredictionVenue; list: string },
): Promise<PageResult | null> {
  const cursorName = `${input.venue} ${input.list}`
  const place = await readCursor(deps.db, cursorName)
  if (place && place.cursor === null) return null
  const page = await readPage(sources, { ...input, cursor: place?.cursor ?? null })
  return storePage(deps, { ...input, page, cursorName })
}

/** Requests open markets by id that are overdue or were not read for long. Returns their number. */
export async function checkMarkets(
  deps: ActivityDeps,
  sources: PredictionSources,
  { venue, limit }: { venue: PredictionVenue; limit: number },
): Promise<number> {
  const now = deps.now()
  const before = new Date(now.getTime() - 60_000)
  const markets = await readMarketsToCheck(deps.db, { venue, now, before, limit })
  for (let i = 0; i < markets.length; i += MARKETS_PER_CHECK) {
    const group = markets.slice(i, i + MARKETS_PER_CHECK)
    const page = await (venue === 'polymarket'
      ? sources.gamma().closedMarkets(group.flatMap(({ conditionId }) => conditionId ?? []))
      : sources.kalshi().markets(group.map(({ venueMarketId }) => venueMarketId)))
    await storePage(deps, { venue, page, cursorName: null })
    await touchMarkets(deps.db, { ids: group.map(({ id }) => id), at: now })
    deps.heartbeat()
  }
  return markets.length
}

function readPage(
  sources: PredictionSources,
  { venue, list, cursor }: { venue: PredictionVenue; list: string; cursor: string | null },
): Promise<VenuePage> {
  if (venue === 'polymarket') return sources.gamma().events({ closed: list === 'closed', cursor })
  if (list === 'archive') return sources.kalshi().archivedMarkets({ cursor })
  return sources.kalshi().events({ status: list as 'open' | 'closed' | 'settled', cursor })
}

async function storePage(
  { pool, now }: ActivityDeps,
  { venue, page, cursorName }: { venue: PredictionVenue; page: VenuePage; cursorName: string | null },
): Promise<PageResult> {
  const source = sourceOf(venue)
  const fetchedAt = now()
  const { events, quarantined, next } = page
  // A market that moves to another page while the list is read comes twice.
  const markets = [...new Map(page.markets.map((row) => [row.venueMarketId, row])).values()]
  await transact(pool, async (transaction) => {
    await quarantineRows(transaction.db, { source, area: 'prediction', quarantined, fetchedAt })
    await storeMarkets(transaction, { venue, source, fetchedAt, events, markets })
    if (cursorName !== null)
      await writeCursor(transaction.db, { name: cursorName, cursor: next, at: fetchedAt })
  })
  return { markets: markets.length, quarantined: quarantined.length, next }
}
