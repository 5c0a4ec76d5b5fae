import type { ReadonlyDb } from '../schema.ts'
import type { PredictionVenue } from './tables.ts'

/** The oldest of the times at which the venues were last read; null: none was. */
export async function readPredictionAsOf(db: ReadonlyDb, venue?: PredictionVenue): Promise<Date | null> {
  const row = await db
    .selectFrom('prediction_venues')
    .select((select) => select.fn.min('fetched_at').as('at'))
    .$if(venue !== undefined, (select) => select.where('venue', '=', venue!))
    .executeTakeFirst()
  return row?.at ?? null
}
