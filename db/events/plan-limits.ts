import type { PlanId } from '../metering/tables.ts'

export interface EventLimits {
  /** Streams of one API process at a time. */
  streams: number
  /** Wallets watched by their address; those of portfolios do not count. */
  wallets: number
  /** Webhook endpoints. */
  endpoints: number
  /** Rules of alerts. */
  alerts: number
  /** How long events are kept. */
  days: number
  /** Events sent in the long run; more wait. */
  perSecond: number
}

export const EVENT_LIMITS: Readonly<Record<PlanId, EventLimits>> = {
  free: { streams: 1, wallets: 100, endpoints: 2, alerts: 20, days: 3, perSecond: 5 },
  starter: { streams: 5, wallets: 10_000, endpoints: 5, alerts: 1_000, days: 30, perSecond: 50 },
  pro: { streams: 20, wallets: 100_000, endpoints: 20, alerts: 10_000, days: 30, perSecond: 200 },
  enterprise: {
    streams: 100,
    wallets: 1_000_000,
    endpoints: 100,
    alerts: 100_000,
    days: 30,
    perSecond: 1_000,
  },
}

/** An account watches for as long after its last read. */
export const WATCH_DAYS = 3
