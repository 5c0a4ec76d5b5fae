import { batchesOf } from '../../db/values/batches.ts'
import {
  readCursor,
  readMarketsToCheck,
  touchMarkets,
  writeCursor,
} from '../../db/prediction/read-for-ingest.ts'
import { closeOthers } from '../../db/prediction/close-others.ts'
import { storeMarkets } from '../../db/prediction/write-markets.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import type { VenuePage } from './venue-data.ts'
import type { Venues } from './venues.ts'

/** that a venue gives by id in one request */
export const MARKETS_PER_CHECK = 100

export interface PageResult {
  markets: number
  quarantined: number
  /** null: this was the last page */
  next: string | null
}

/** Reads one page of a list of events and stores its markets. */
export async function loadPage(
  deps: ActivityDeps,
  venues: Venues,
  input: { venue: PredictionVenue; list: string; cursor: string | null },
): Promise<PageResult> {
  const page = await venues[input.venue].page(input)
  return storePage(deps, venues, { ...input, page, cursorName: null })
}

/** The same for a `past` list; its cursor is stored with the rows. Null once the list is read to its end. */
export async function loadPastPage(
  deps: ActivityDeps,
  venues: Venues,
  input: { venue: PredictionVenue; list: string },
): Promise<PageResult | null> {
  const cursorName = `${input.venue} ${input.list}`
  const place = await readCursor(deps.db, cursorName)
  if (place && place.cursor === null) return null
  const page = await venues[input.venue].page({ list: input.list, cursor: place?.cursor ?? null })
  return storePage(deps, venues, { ...input, page, cursorName })
}

/** Requests open markets by id that are overdue or were not read for long. Returns their number. */
export async function checkMarkets(
  deps: ActivityDeps,
  venues: Venues,
  { venue, limit }: { venue: PredictionVenue; limit: number },
): Promise<number> {
  const { check } = venues[venue]
  if (!check) return 0
  const now = deps.now()
  const before = new Date(now.getTime() - 60_000)
  const markets = await readMarketsToCheck(deps.db, { venue, now, before, limit })
  for (const group of batchesOf(markets, MARKETS_PER_CHECK)) {
    const page = await check(group)
    await storePage(deps, venues, { venue, page, cursorName: null })
    await touchMarkets(deps.db, { ids: group.map(({ id }) => id), at: now })
    deps.heartbeat()
  }
  return markets.length
}

async function storePage(
  { pool, now }: ActivityDeps,
  venues: Venues,
  { venue, page, cursorName }: { venue: PredictionVenue; page: VenuePage; cursorName: string | null },
): Promise<PageResult> {
  const source = venues[venue].sources.markets
  const fetchedAt = now()
  const { events, quarantined, next } = page
  // A market that moves to another page while the list is read comes twice.
  const markets = [...new Map(page.markets.map((row) => [row.venueMarketId, row])).values()]
  await transact(pool, async (transaction) => {
    await quarantineRows(transaction.db, { source, area: 'prediction', quarantined, fetchedAt })
    await storeMarkets(transaction, { venue, source, fetchedAt, events, markets })
    // An empty answer is no closing of all.
    if (page.isWhole && markets.length > 0)
      await closeOthers(transaction.db, {
        venue,
        ids: markets.map((row) => row.venueMarketId),
        source,
        fetchedAt,
      })
    if (cursorName !== null)
      await writeCursor(transaction.db, { name: cursorName, cursor: next, at: fetchedAt })
  })
  return { markets: markets.length, quarantined: quarantined.length, next }
}
