import type { PricedItem, Route, RouteInput } from './route.ts'

export interface Price {
  credits: number
  /** The multipliers of the base price, for the credit ledger. null: the price is fixed */
  input: string | null
}

/**
 * Price of one request. It depends only on the parsed input: not on headers, nor on order or repetition of
 * items.
 */
export function priceOf(route: Route, input: RouteInput<unknown, unknown, unknown>): Price {
  if (!route.multiplied) return { credits: route.credits, input: null }
  const items = route.multiplied.items(input)
  const all = items.filter((item) => item === 'all').length
  return { credits: creditsOf(route, items), input: `${items.length - all} one, ${all} all` }
}

/** Credits for these items of a request. */
export function creditsOf({ credits, multiplied }: Route, items: readonly PricedItem[]): number {
  return items.reduce((sum, item) => sum + (item === 'all' ? (multiplied?.creditsAll ?? 0) : credits), 0)
}
