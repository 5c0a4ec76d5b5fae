import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { PredictionVenue } from './tables.ts'

/** Closes the markets of a venue that trade as far as we know, and are not among those that do. */
export async function closeOthers(
  db: Db,
  input: { venue: PredictionVenue; ids: readonly string[]; source: string; fetchedAt: Date },
): Promise<void> {
  const { venue, ids, source, fetchedAt } = input
  await sql`
    update prediction_markets set status = 'closed', best_bid = null, best_ask = null, updated_at = ${fetchedAt},
      source = ${source}, fetched_at = ${fetchedAt}
    where venue = ${venue} and status = 'open' and venue_market_id <> all(${[...ids]}::text[])`.execute(db)
}
