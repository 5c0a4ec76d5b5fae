import type { PricedItem, Route, RouteInput } from './route.ts'

export interface Price {
  credits: number
  /** What multiplied the base price, for the ledger; null for a fixed price. */
  input: string | null
}

/** Price of one request, from its parsed input alone: blind to headers, to the order and to repeats of items. */
export function priceOf(route: Route, input: RouteInput<unknown, unknown, unknown>): Price {
  if (!route.multiplied) return { credits: route.credits, input: null }
  const items = route.multiplied.items(input)
  const all = items.filter((item) => item === 'all').length
  return { credits: creditsOf(route, items), input: `${items.length - all} one, ${all} all` }
}

/** What these items of a request cost. */
export function creditsOf({ credits, multiplied }: Route, items: readonly PricedItem[]): number {
  return items.reduce((sum, item) => sum + (item === 'all' ? (multiplied?.creditsAll ?? 0) : credits), 0)
}
