/** Types of events that this release makes, and what one of them costs its account. */
export const EVENT_CREDITS = {
  'wallet.transaction': 5,
  'wallet.balance': 1,
  'wallet.synced': 0,
  'endpoint.disabled': 0,
  'test.ping': 0,
} as const satisfies Record<string, number>

export type EventType = keyof typeof EVENT_CREDITS
