import { sql } from 'kysely'
import type { Db } from '../schema.ts'

// GCRA: `next_request_at` is the theoretical arrival time of the next request to a source, shared by all workers.

interface Rate {
  /** Time between two requests at an even pace. */
  intervalMs: number
  /** Time by which a request may be ahead of that pace. */
  toleranceMs: number
}

const TURN = sql`greatest(next_request_at, clock_timestamp())`
const waitFor = (toleranceMs: number) =>
  sql<number>`(extract(epoch from ${TURN} - clock_timestamp()) * 1000 - ${toleranceMs})::float8`

/** Creates the state row of a source if it has none. */
export async function registerSource(db: Db, source: string): Promise<void> {
  await db
    .insertInto('source_states')
    .values({ source })
    .onConflict((on) => on.doNothing())
    .execute()
}

/**
 * Takes the next turn at a source and returns the milliseconds until it. null: not taken, it is beyond
 * `maxWaitMs`.
 */
export async function takeTurn(
  db: Db,
  { source, intervalMs, toleranceMs, maxWaitMs }: Rate & { source: string; maxWaitMs: number },
): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number }>`
    update source_states set next_request_at = ${TURN} + ${intervalMs} * interval '1 ms'
    where source = ${source} and ${waitFor(toleranceMs)} <= ${maxWaitMs} and ${UNSYNCED}
    returning (extract(epoch from next_request_at - clock_timestamp()) * 1000 - ${intervalMs + toleranceMs})::float8 as wait_ms
  `.execute(db)
  return rows[0]?.wait_ms ?? null
}

/** Returns the time until the next turn and the last failure, without taking the turn. */
export async function nextTurn(
  db: Db,
  { source, toleranceMs }: Pick<Rate, 'toleranceMs'> & { source: string },
): Promise<{ waitMs: number; lastFailure: string | null }> {
  const { rows } = await sql<{ waitMs: number; lastFailure: string | null }>`
    select ${waitFor(toleranceMs)} as "waitMs", last_failure as "lastFailure" from source_states where source = ${source}
  `.execute(db)
  return rows[0] ?? { waitMs: 0, lastFailure: null }
}

/** Whether the source is paused, because it asked for it or failed too often. */
export async function isPaused(db: Db, source: string): Promise<boolean> {
  const { rows } = await sql`
    select from source_states where source = ${source} and paused_until > clock_timestamp()`.execute(db)
  return rows.length > 0
}

export async function noteSuccess(db: Db, source: string): Promise<void> {
  await sql`
    with state as (
      update source_states set last_success_at = clock_timestamp(), consecutive_failures = 0
      where source = ${source} and ${UNSYNCED}
    ) ${countRequest({ source, failures: 0 })}`.execute(db)
}

/** Counts a request whose answer was not stored. */
export async function noteProbe(db: Db, source: string): Promise<void> {
  await countRequest({ source, failures: 0 }).execute(db)
}

interface Failure {
  source: string
  reason: string
}

/** Records a failure where the source did answer. It causes no pause. */
export async function noteAnswer(db: Db, failure: Failure): Promise<void> {
  const { source } = failure
  await sql`
    with state as (update source_states set ${lastFailure(failure)} where source = ${source})
    ${countRequest({ source, failures: 1 })}`.execute(db)
}

/**
 * Records a failure and pauses the source for the time that it asked for. From `threshold` failures in a row
 * on it pauses for 30 s, then twice as long each time, up to 10 minutes. Moving the shared `next_request_at`
 * ahead stops all workers; `paused_until` tells those that already wait.
 */
export async function noteFailure(
  db: Db,
  failure: Failure & { retryAfterMs: number; threshold: number; toleranceMs: number },
): Promise<void> {
  const { source, retryAfterMs, threshold, toleranceMs } = failure
  const pauseMs = sql`greatest(${retryAfterMs}, case when consecutive_failures + 1 >= ${threshold}
    then least(30000 * 2 ^ least(consecutive_failures + 1 - ${threshold}, 10), 600000) else 0 end)`
  await sql`
    with state as (
      update source_states set ${lastFailure(failure)}, consecutive_failures = consecutive_failures + 1,
        paused_until = greatest(paused_until, clock_timestamp() + ${pauseMs} * interval '1 ms'),
        next_request_at = case when ${pauseMs} = 0 then next_request_at else
          greatest(next_request_at, clock_timestamp() + (${pauseMs} + ${toleranceMs}) * interval '1 ms') end
      where source = ${source}
    ) ${countRequest({ source, failures: 1 })}`.execute(db)
}

/**
 * Skips the wait for the disk, because each request waits for the row lock of the one before. A server crash
 * loses at most half a second of turns.
 */
const UNSYNCED = sql`set_config('synchronous_commit', 'off', true) = 'off'`

const lastFailure = ({ reason }: Failure) =>
  sql`last_failure_at = clock_timestamp(), last_failure = ${reason.slice(0, 300)}`

/** End of a statement that counts one request in the current hour. */
const countRequest = ({ source, failures }: { source: string; failures: 0 | 1 }) => sql`
  insert into source_hours as stored (source, hour, requests, failures)
  values (${source}, date_trunc('hour', clock_timestamp(), 'UTC'), 1, ${failures})
  on conflict (source, hour) do update
    set requests = stored.requests + 1, failures = stored.failures + excluded.failures`
