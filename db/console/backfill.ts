import { sql } from 'kysely'
import { chunksOf, firstAsked, requestsOf, type Stored } from '../prices/plan-history.ts'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'
import type { KnownSource } from './read-sources.ts'

export interface BackfillSpan {
  resolution: 'day' | 'hour'
  fromMs: number
  toMs: number
  /** null: all listed coins */
  coinIds: readonly string[] | null
}

export interface BackfillPlan {
  /** By the source that is asked first. */
  sources: {
    source: string
    coins: number
    requests: number
    /** Time that the rate of the source takes at least; null: no rate is known. */
    leastSeconds: number | null
  }[]
  /** Coins that lack prices in the span. */
  missing: string[]
  /** Given coins that have no source, or do not exist. */
  unknown: string[]
}

/**
 * Plans by the same rule as the worker: the stored prices of a coin have no gaps and grow at both ends. Asks no source.
 * `sources`: with their rates.
 */
export async function planBackfill(
  db: Db | ReadonlyDb,
  { coinIds, ...window }: BackfillSpan,
  sources: readonly KnownSource[],
): Promise<BackfillPlan> {
  const states = await readSql(
    db,
    sql<Stored & { coinId: string }>`
      select coin_id as "coinId", source, from_at as "from", to_at as "to", floor_plan as "floorPlan"
      from backfill_states(${window.resolution}, ${coinIds && [...coinIds]}::text[])`,
  )
  const chunks = states.flatMap((state) => chunksOf(state, window))
  return {
    sources: [...Map.groupBy(chunks, ({ state }) => firstAsked(state))].map(([source, own]) => {
      const requests = own.reduce((sum, chunk) => sum + requestsOf(chunk, window.resolution), 0)
      const rate = sources.find(({ settings }) => settings.name === source)?.settings.requestsPerSecond
      return {
        source,
        coins: new Set(own.map(({ state }) => state.coinId)).size,
        requests,
        leastSeconds: rate ? requests / rate : null,
      }
    }),
    missing: [...new Set(chunks.map(({ state }) => state.coinId))],
    unknown: (coinIds ?? []).filter((id) => !states.some(({ coinId }) => coinId === id)),
  }
}

/** Asks for the prices that coins lack in a span. */
export async function orderBackfill(
  db: Db | ReadonlyDb,
  {
    resolution,
    fromMs,
    toMs,
    coinIds,
    operator,
  }: BackfillSpan & { coinIds: readonly string[]; operator: string },
): Promise<void> {
  await readSql(
    db,
    sql`select order_backfill(${resolution}, ${[...coinIds]}::text[], ${fromMs}::bigint, ${toMs}::bigint, ${operator})`,
  )
}
