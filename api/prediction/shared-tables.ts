import type { SharedBy } from '../route.ts'

type Tables = SharedBy['reads']

/** What an event is read from, and the time of its data. */
export const EVENTS: Tables = ['prediction_events', 'prediction_tags', 'prediction_venues']

/** What a market is read from. */
export const MARKETS: Tables = [
  ...EVENTS,
  'prediction_markets',
  'prediction_outcomes',
  'prediction_trade_states',
]

/** Revisions of the items that lists select: of their rows, and of what they are about. */
export const ITEMS = {
  rows: ['prediction_events', 'prediction_markets'],
  labels: ['prediction_events.labels', 'prediction_markets.labels'],
} as const

/** What a trader is read from. */
export const TRADERS: Tables = [
  'prediction_outcomes',
  'prediction_positions',
  'prediction_traders',
  'prediction_venues',
]
