import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { PredictionVenue } from './tables.ts'

/** How far the fills of a market are loaded, and where the walk to those goes on. */
export interface WalkPlace {
  loadedTo: Date | null
  walkCursor: string | null
}

/**
 * Stores how far the fills of a market are loaded. `before`: what was stored when the page was read. Returns false, and
 * changes nothing, if something else is stored by now: somebody wants the market to be read again.
 */
export async function storeWalk(
  db: Db,
  input: WalkPlace & {
    marketId: number
    walkTo: Date | null
    statedVolume: string | null
    hasQuarantined: boolean
    before: WalkPlace
  },
): Promise<boolean> {
  const { marketId, loadedTo, walkCursor, walkTo, statedVolume, hasQuarantined, before } = input
  const { numAffectedRows } = await sql`
    insert into prediction_trade_states as stored (market_id, loaded_to, walk_cursor, walk_to, volume_usd, has_quarantined)
    values (${marketId}, ${loadedTo}, ${walkCursor}, ${walkTo}, ${statedVolume}, ${hasQuarantined})
    on conflict (market_id) do update set loaded_to = excluded.loaded_to, walk_cursor = excluded.walk_cursor,
      walk_to = excluded.walk_to, volume_usd = excluded.volume_usd,
      has_quarantined = stored.has_quarantined or excluded.has_quarantined
    where stored.loaded_to is not distinct from ${before.loadedTo}
      and stored.walk_cursor is not distinct from ${before.walkCursor}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Lets the next run read the markets of a venue that had quarantined fills from their newest fill. What is stored
 * stays. Returns the number of markets.
 */
export async function readQuarantinedAgain(db: Db, venue: PredictionVenue): Promise<number> {
  const { rows } = await sql<{ markets: number }>`
    with again as (
      update prediction_trade_states as state
      set loaded_to = null, walk_cursor = null, walk_to = null, volume_usd = null, has_quarantined = false
      from prediction_markets as market
      where market.id = state.market_id and market.venue = ${venue} and state.has_quarantined returning market_id
    )
    select count(*)::int as markets from again`.execute(db)
  return rows[0]!.markets
}
