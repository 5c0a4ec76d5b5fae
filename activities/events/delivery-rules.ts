import type { EndpointHealth } from '../../db/events/record-attempts.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import type { Receipt } from './send-webhook.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Pauses after the first, second, .. attempt. These are the example of Standard Webhooks. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Spreads what failed together. */
const JITTER = 0.2

/** Failures in a row after which an endpoint backs off. */
export const PATIENCE = 5
export const PROBE_PAUSE = MINUTE
const LONGEST_OUTAGE = 5 * DAY_MS

/** Whether its events wait for the answer to a probe: one attempt a minute. Also of one that is still `new`. */
export const isBackingOff = ({ failures }: Pick<EndpointHealth, 'failures'>): boolean => failures >= PATIENCE

type Outcome = Pick<Receipt, 'status' | 'failure' | 'retryAfterMs'>

/** The health of an endpoint after one more attempt. Only its owner leads it out of `paused` and `disabled`. */
export function healthAfter(health: EndpointHealth, outcome: Outcome, at: Date): EndpointHealth {
  if (outcome.failure === null) {
    const isOpen = health.state === 'new' || health.state === 'backing_off'
    const healthy = { ...health, failures: 0, failingSince: null, nextProbeAt: null }
    return isOpen ? { ...healthy, state: 'active', reason: null } : healthy
  }
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? at
  const waitMs = Math.max(isBackingOff({ failures }) ? PROBE_PAUSE : 0, waitAskedFor(outcome))
  const failed = { ...health, failures, failingSince, nextProbeAt: waitMs > 0 ? later(at, waitMs) : null }
  if (health.state === 'paused' || health.state === 'disabled') return failed
  const reason = reasonToDisable(outcome, at.getTime() - failingSince.getTime())
  if (reason !== null) return { ...failed, state: 'disabled', reason }
  if (health.state === 'new' || !isBackingOff(failed)) return failed
  return { ...failed, state: 'backing_off', reason: `${PATIENCE} attempts in a row failed` }
}

function reasonToDisable({ status }: Outcome, outageMs: number): string | null {
  if (status === 410) return 'The receiver answered 410 Gone'
  if (outageMs >= LONGEST_OUTAGE) return 'No event was delivered for 5 days'
  return null
}

/** When an event is tried again after its failed attempt number `attempts`; null: not any more. */
export function nextAttemptAt(input: {
  attempts: number
  outcome: Outcome
  at: Date
  /** 0 to 1 */
  random: number
}): Date | null {
  const { attempts, outcome, at, random } = input
  const pauseMs = PAUSES[attempts - 1]
  if (pauseMs === undefined) return null
  const spreadMs = pauseMs * (1 + JITTER * (2 * random - 1))
  return later(at, Math.max(spreadMs, waitAskedFor(outcome)))
}

/** Only these two mean that the receiver wants the event later. */
const waitAskedFor = ({ status, retryAfterMs }: Outcome): number =>
  status === 429 || status === 503 ? (retryAfterMs ?? 0) : 0

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
