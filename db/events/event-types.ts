/** Types of events that this release makes, and what one of them costs its account. */
const EVENT_CREDITS = {
  'wallet.transaction': 5,
  'wallet.balance': 1,
  'wallet.synced': 0,
  'endpoint.disabled': 0,
  'test.ping': 0,
} as const satisfies Record<string, number>

export type EventType = keyof typeof EVENT_CREDITS
export const EVENT_TYPES = Object.keys(EVENT_CREDITS) as [EventType, ...EventType[]]

/** A transaction is charged once: its later states are free. */
export function creditsOf(event: { kind: EventType; payload: object }): number {
  const isKnown = 'first' in event.payload && event.payload.first === false
  return isKnown ? 0 : EVENT_CREDITS[event.kind]
}
