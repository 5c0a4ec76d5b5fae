import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { SourceUnavailable } from './errors.ts'

export interface SourceLimit {
  requestsPerSecond: number
  burst: number
}

interface GateDeps {
  db: Db
  limits: Record<string, SourceLimit>
  /** Longest wait for a turn before the caller is told to come back later. */
  maxWaitMs?: number
}

export interface SourceFailure {
  source: string
  reason: string
  /** The source asked to be left alone for so long. */
  retryAfterMs: number | null
  /** It did answer, and said no, or nothing that can be read: an error, but no reason to leave it alone. */
  answered?: true
}

/** Decides when a source may be asked. Its state is in Postgres, so that all workers share one allowance. */
export interface SourceGate {
  /** Resolves when it is this request's turn. Throws SourceUnavailable when that is too far away. */
  admit: (source: string) => Promise<void>
  succeeded: (source: string) => Promise<void>
  failed: (failure: SourceFailure) => Promise<void>
}

/** Failures in a row after which a source is left alone: 30 s, then twice as long each time, up to ten minutes. */
const BREAKER_THRESHOLD = 5

/**
 * GCRA: `next_request_at` is the theoretical arrival time. A request takes its turn by one UPDATE and then waits for
 * it. Retry-After and the circuit breaker push the same time ahead, which stops every worker at once, and say so for those
 * that wait already.
 */
export function createSourceGate({ db, limits, maxWaitMs = 20_000 }: GateDeps): SourceGate {
  const known = new Set<string>()

  function limitOf(source: string): { intervalMs: number; toleranceMs: number } {
    const limit = limits[source]
    if (!limit) throw new Error(`no rate limit for source ${source}`)
    const intervalMs = 1000 / limit.requestsPerSecond
    return { intervalMs, toleranceMs: intervalMs * (limit.burst - 1) }
  }

  async function register(source: string): Promise<void> {
    if (known.has(source)) return
    const row = { source }
    await db
      .insertInto('source_states')
      .values(row)
      .onConflict((on) => on.doNothing())
      .execute()
    known.add(source)
  }

  async function admit(source: string): Promise<void> {
    await register(source)
    const { intervalMs, toleranceMs } = limitOf(source)
    const turn = sql`greatest(next_request_at, clock_timestamp())`
    const waitMs = sql<number>`(extract(epoch from ${turn} - clock_timestamp()) * 1000 - ${toleranceMs})::float8`
    const taken = await sql<{ wait_ms: number }>`
      update source_states set next_request_at = ${turn} + ${intervalMs} * interval '1 ms'
      where source = ${source} and ${waitMs} <= ${maxWaitMs} and ${UNSYNCED}
      returning (extract(epoch from next_request_at - clock_timestamp()) * 1000 - ${intervalMs + toleranceMs})::float8 as wait_ms
    `.execute(db)
    const row = taken.rows[0]
    if (row) {
      if (row.wait_ms <= 0) return
      await sleep(row.wait_ms)
      // Meanwhile it may have asked to be left alone: then there is another turn.
      return (await isPaused(source)) ? await admit(source) : undefined
    }
    const state = await sql<{ wait_ms: number; last_failure: string | null }>`
      select ${waitMs} as wait_ms, last_failure from source_states where source = ${source}
    `.execute(db)
    const { wait_ms = 0, last_failure = null } = state.rows[0] ?? {}
    const reason = `no turn for ${Math.round(wait_ms / 1000)} s (last failure: ${last_failure ?? 'none'})`
    throw new SourceUnavailable(source, reason, wait_ms)
  }

  async function isPaused(source: string): Promise<boolean> {
    const { rows } = await sql`
      select from source_states where source = ${source} and paused_until > clock_timestamp()`.execute(db)
    return rows.length > 0
  }

  async function succeeded(source: string): Promise<void> {
    await sql`
      with state as (
        update source_states set last_success_at = clock_timestamp(), consecutive_failures = 0
        where source = ${source} and ${UNSYNCED}
      ) ${countRequest({ source, failures: 0 })}`.execute(db)
  }

  async function failed({ source, reason, retryAfterMs, answered }: SourceFailure): Promise<void> {
    const { toleranceMs } = limitOf(source)
    const state = sql`last_failure_at = clock_timestamp(), last_failure = ${reason.slice(0, 300)}`
    if (answered) {
      await sql`
        with state as (update source_states set ${state} where source = ${source})
        ${countRequest({ source, failures: 1 })}`.execute(db)
      return
    }
    const pauseMs = sql`greatest(${retryAfterMs ?? 0}, case when consecutive_failures + 1 >= ${BREAKER_THRESHOLD}
      then least(30000 * 2 ^ least(consecutive_failures + 1 - ${BREAKER_THRESHOLD}, 10), 600000) else 0 end)`
    await sql`
      with state as (
        update source_states set ${state}, consecutive_failures = consecutive_failures + 1,
          paused_until = greatest(paused_until, clock_timestamp() + ${pauseMs} * interval '1 ms'),
          next_request_at = case when ${pauseMs} = 0 then next_request_at else
            greatest(next_request_at, clock_timestamp() + (${pauseMs} + ${toleranceMs}) * interval '1 ms') end
        where source = ${source}
      ) ${countRequest({ source, failures: 1 })}`.execute(db)
  }

  return { admit, succeeded, failed }
}

/**
 * Does not wait until the disk has it, for each request waits for the row of the one before. A server that crashes forgets half a
 * second of turns at most.
 */
const UNSYNCED = sql`set_config('synchronous_commit', 'off', true) = 'off'`

/** The end of a statement: one more request in the current hour. */
function countRequest({ source, failures }: { source: string; failures: 0 | 1 }) {
  return sql`
    insert into source_hours as stored (source, hour, requests, failures)
    values (${source}, date_trunc('hour', clock_timestamp(), 'UTC'), 1, ${failures})
    on conflict (source, hour) do update
      set requests = stored.requests + 1, failures = stored.failures + excluded.failures`
}
