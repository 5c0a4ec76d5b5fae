import type pg from 'pg'
import { EVENT_CREDITS } from '../../db/events/event-types.ts'
import { type EventSource, publish, readPrices, readSources } from '../../db/events/publish.ts'
import { coinOf, eventData } from './event-data.ts'

const BATCH = 500

/**
 * Makes events of the oldest sources in one transaction. Repeating it changes nothing: a source is gone when
 * its events are there.
 */
export async function publishBatch(deps: { pool: pg.Pool }): Promise<{ events: number; isMore: boolean }> {
  const found = await readSources(deps.pool, { limit: BATCH })
  const sources = upToRepeated(found)
  if (sources.length === 0) return { events: 0, isMore: false }
  const prices = await readPrices(deps.pool, [...new Set(sources.flatMap((source) => coinOf(source) ?? []))])
  const events = await publish(
    deps.pool,
    sources.map((source) => ({
      sourceId: source.id,
      data: eventData(source, prices),
      credits: EVENT_CREDITS[source.kind],
    })),
  )
  return { events, isMore: found.length === BATCH || sources.length < found.length }
}

/** Whoever is told of a transaction must have committed before its next state is told. */
function upToRepeated(sources: readonly EventSource[]): readonly EventSource[] {
  const seen = new Set<string>()
  const end = sources.findIndex(({ kind, connectionId, address, txHash }) => {
    if (kind !== 'wallet.transaction') return false
    const { size } = seen
    return seen.add(`${connectionId} ${address} ${txHash}`).size === size
  })
  return end < 0 ? sources : sources.slice(0, end)
}
