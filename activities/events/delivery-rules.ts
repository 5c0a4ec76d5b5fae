import type { Receipt } from './send-webhook.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Pauses after the first, second, .. attempt. These are the example of Standard Webhooks. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** Spreads what failed together. */
const JITTER = 0.2

/** Failures in a row after which an endpoint backs off. */
const PATIENCE = 5
const PROBE_PAUSE = MINUTE
const LONGEST_OUTAGE = 5 * DAY

/** `unproven`: no test.ping has been answered yet, so nothing else is sent. Only an owner leaves the last two. */
export type EndpointState = 'unproven' | 'active' | 'paused' | 'disabled'

export interface Health {
  state: EndpointState
  /** Why it is paused or disabled. */
  reason: string | null
  /** Failures in a row. */
  failures: number
  failingSince: Date | null
  /** Nothing is sent before. */
  nextProbeAt: Date | null
}

/** Whether an endpoint gets one attempt a minute only. */
export const isBackingOff = ({ failures }: Pick<Health, 'failures'>): boolean => failures >= PATIENCE

type Outcome = Pick<Receipt, 'status' | 'failure' | 'retryAfterMs'>

/** The health of an endpoint after one more attempt. */
export function healthAfter(health: Health, outcome: Outcome, at: Date): Health {
  if (outcome.failure === null) {
    const state = health.state === 'unproven' ? 'active' : health.state
    return { ...health, state, failures: 0, failingSince: null, nextProbeAt: null }
  }
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? at
  const waitMs = Math.max(isBackingOff({ failures }) ? PROBE_PAUSE : 0, waitAskedFor(outcome))
  const failed = { ...health, failures, failingSince, nextProbeAt: waitMs > 0 ? later(at, waitMs) : null }
  const reason = reasonToDisable(outcome, at.getTime() - failingSince.getTime())
  return reason === null || health.state === 'disabled' ? failed : { ...failed, state: 'disabled', reason }
}

function reasonToDisable({ status }: Outcome, outageMs: number): string | null {
  if (status === 410) return 'The receiver answered 410 Gone'
  if (outageMs >= LONGEST_OUTAGE) return 'No event was delivered for 5 days'
  return null
}

/**
 * When an event is tried again after its failed attempt number `attempts`; null: not any more. While the
 * endpoint backs off, attempts are probes. They do not count, and the event waits behind the others.
 */
export function nextAttemptAt(input: {
  attempts: number
  isProbe: boolean
  outcome: Outcome
  at: Date
  /** 0 to 1 */
  random: number
}): Date | null {
  const { attempts, isProbe, outcome, at, random } = input
  if (isProbe) return at
  const pauseMs = PAUSES[attempts - 1]
  if (pauseMs === undefined) return null
  const spreadMs = pauseMs * (1 + JITTER * (2 * random - 1))
  return later(at, Math.max(spreadMs, waitAskedFor(outcome)))
}

/** Only these two mean that the receiver wants the event later. */
const waitAskedFor = ({ status, retryAfterMs }: Outcome): number =>
  status === 429 || status === 503 ? (retryAfterMs ?? 0) : 0

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
