import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { PredictionVenue } from './tables.ts'

const SOURCES: Record<PredictionVenue, string> = { polymarket: 'polymarket-gamma', kalshi: 'kalshi' }

/** Version of the data behind the lists: changes with every refresh; empty before the first one. */
export async function readPredictionVersion(db: ReadonlyDb): Promise<string> {
  const rows = await readSql<{ version: string | null }>(
    db,
    sql`select max(fetched_at)::text as version from prediction_venues`,
  )
  return rows[0]?.version ?? ''
}

/** The oldest of the times at which the venues were last read; null: none was. */
export async function readPredictionAsOf(db: ReadonlyDb, venue?: PredictionVenue): Promise<Date | null> {
  const sources = venue ? [SOURCES[venue]] : Object.values(SOURCES)
  const rows = await readSql<{ at: Date | null }>(
    db,
    sql`select min(last_success_at) as at from source_states where source = any(${sources}::text[])`,
  )
  return rows[0]?.at ?? null
}
