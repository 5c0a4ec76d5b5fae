/** Types of events that this release makes, and what one of them costs its account. */
const EVENT_CREDITS = {
  'wallet.transaction': 5,
  'wallet.balance': 1,
  'wallet.synced': 0,
  'exchange.transaction': 5,
  'exchange.synced': 0,
  'coin.price': 1,
  'market.price': 1,
  'market.resolved': 1,
  'endpoint.disabled': 0,
  'test.ping': 0,
} as const satisfies Record<string, number>

export type EventType = keyof typeof EVENT_CREDITS
/** Events that an account asks for by a rule. */
export type AlertType = Extract<EventType, 'coin.price' | `market.${string}`>

export const EVENT_TYPES = Object.keys(EVENT_CREDITS) as [EventType, ...EventType[]]

/** A transaction is charged once: its later states are free, also when it comes again in another block. */
export function creditsOf({ kind, payload }: { kind: EventType; payload: object }): number {
  const { first = true, again = false } = payload as { first?: boolean; again?: boolean }
  return first && !again ? EVENT_CREDITS[kind] : 0
}
