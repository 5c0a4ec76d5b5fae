import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/schema.ts'
import {
  isPaused,
  nextTurn,
  noteAnswer,
  noteFailure,
  noteSuccess,
  registerSource,
  takeTurn,
} from '../db/sources/turns.ts'
import { SourceUnavailable } from './errors.ts'
import type { SourceOrders } from './source-orders.ts'

export interface SourceLimit {
  requestsPerSecond: number
  burst: number
}

interface GateDeps {
  db: Db
  limits: Record<string, SourceLimit>
  /** What operators ordered. Absent: nothing. */
  orders?: SourceOrders
  /** Longest wait for a turn. Above it, admit() throws. Default: 20 s, at a slow source up to 40 s */
  maxWaitMs?: number
  /** For tests that do not wait. */
  wait?: (ms: number) => Promise<unknown>
}

export interface SourceFailure {
  source: string
  reason: string
  /** How long the source asked to wait. */
  retryAfterMs: number | null
  /** The source answered with a refusal or something unreadable: an error, but no reason to pause it. */
  answered?: true
}

/** Decides when a source may be asked. Its state is in Postgres, so that all workers share one rate limit. */
export interface SourceGate {
  /**
   * Resolves when it is this request's turn. Throws SourceUnavailable if the wait would be too long. `url`: what is
   * asked, where its cost depends on that.
   */
  admit: (source: string, url?: string) => Promise<void>
  succeeded: (source: string) => Promise<void>
  failed: (failure: SourceFailure) => Promise<void>
}

/**
 * Failures in a row after which a source is paused: 30 s, then twice as long each time, up to ten minutes.
 */
const BREAKER_THRESHOLD = 5

const WAIT_MS = 20_000
const LONGEST_WAIT_MS = 40_000
const TURNS_AHEAD = 8
/** After this time a source that an operator has paused is asked for again. */
const HELD_MS = 60_000

/**
 * A request reserves its turn and then waits for it (db/sources/turns.ts). Retry-After and the circuit
 * breaker postpone the next turn.
 */
export function createSourceGate({ db, limits, orders, maxWaitMs, wait = sleep }: GateDeps): SourceGate {
  const known = new Set<string>()

  function limitOf(source: string): { intervalMs: number; toleranceMs: number } {
    const limit = limits[source]
    if (!limit) throw new Error(`no rate limit for source ${source}`)
    const ordered = orders?.of(source)
    const intervalMs = 1000 / (ordered?.requestsPerSecond ?? limit.requestsPerSecond)
    return { intervalMs, toleranceMs: intervalMs * ((ordered?.burst ?? limit.burst) - 1) }
  }

  /** Eight that ask a slow source one by one all get their turns; activities must beat within a minute. */
  const longestWait = (intervalMs: number) =>
    maxWaitMs ?? Math.min(LONGEST_WAIT_MS, Math.max(WAIT_MS, TURNS_AHEAD * intervalMs))

  async function register(source: string): Promise<void> {
    if (known.has(source)) return
    await registerSource(db, source)
    known.add(source)
  }

  async function admit(source: string): Promise<void> {
    await register(source)
    await orders?.ready()
    if (orders?.of(source)?.isPaused)
      throw new SourceUnavailable(source, 'an operator has paused it', HELD_MS)
    const { intervalMs, toleranceMs } = limitOf(source)
    const waitMs = await takeTurn(db, { source, intervalMs, toleranceMs, maxWaitMs: longestWait(intervalMs) })
    if (waitMs !== null) {
      if (waitMs <= 0) return
      await wait(waitMs)
      // If the source was paused during the wait, take another turn.
      return (await isPaused(db, source)) ? await admit(source) : undefined
    }
    const next = await nextTurn(db, { source, toleranceMs })
    const reason = `no turn for ${Math.round(next.waitMs / 1000)} s (last failure: ${next.lastFailure ?? 'none'})`
    throw new SourceUnavailable(source, reason, next.waitMs)
  }

  const succeeded = (source: string) => noteSuccess(db, source)

  async function failed({ source, reason, retryAfterMs, answered }: SourceFailure): Promise<void> {
    const { toleranceMs } = limitOf(source)
    if (answered) return noteAnswer(db, { source, reason })
    const failure = { source, reason, retryAfterMs: retryAfterMs ?? 0, toleranceMs }
    await noteFailure(db, { ...failure, threshold: BREAKER_THRESHOLD })
  }

  return { admit, succeeded, failed }
}
