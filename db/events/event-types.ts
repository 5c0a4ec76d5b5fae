/**
 * Types of events that this release makes, and what one of them costs its account. A transaction is charged
 * with the first of its events: see publish_events.
 */
export const EVENT_CREDITS = {
  'wallet.transaction': 5,
  'wallet.balance': 1,
  'wallet.synced': 0,
  'exchange.transaction': 5,
  'exchange.synced': 0,
  'portfolio.value': 1,
  'coin.price': 1,
  'market.price': 1,
  'market.resolved': 1,
  'endpoint.disabled': 0,
  'test.ping': 0,
} as const satisfies Record<string, number>

export type EventType = keyof typeof EVENT_CREDITS
/** Events that an account asks for by a rule. */
export const ALERT_TYPES = [
  'portfolio.value',
  'coin.price',
  'market.price',
  'market.resolved',
] as const satisfies EventType[]
export type AlertType = (typeof ALERT_TYPES)[number]

export const EVENT_TYPES = Object.keys(EVENT_CREDITS) as [EventType, ...EventType[]]
