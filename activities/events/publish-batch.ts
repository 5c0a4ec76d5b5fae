import type pg from 'pg'
import { creditsOf } from '../../db/events/event-types.ts'
import { publish, readPrices, readSources, releaseHeldEvents } from '../../db/events/publish.ts'
import { coinOf, eventData } from './event-data.ts'

const BATCH = 500
/** Of one account in one transaction. */
const RELEASED = 500

/**
 * Makes events of the oldest sources in one transaction. Repeating it changes nothing: a source is gone when
 * its events are there.
 */
export async function publishBatch(deps: { pool: pg.Pool }): Promise<{ events: number; isMore: boolean }> {
  const sources = await readSources(deps.pool, { limit: BATCH })
  if (sources.length === 0) return { events: 0, isMore: false }
  const prices = await readPrices(deps.pool, [...new Set(sources.flatMap((source) => coinOf(source) ?? []))])
  const events = await publish(
    deps.pool,
    sources.map((source) => ({
      sourceId: source.id,
      data: eventData(source, prices),
      credits: creditsOf(source),
    })),
  )
  return { events, isMore: sources.length === BATCH }
}

/** Sends what accounts could not pay when it happened and can pay now. Returns the number of events. */
export async function releaseHeld(deps: { pool: pg.Pool }): Promise<number> {
  return releaseHeldEvents(deps.pool, { most: RELEASED })
}
