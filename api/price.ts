import type { Route, RouteInput } from './route.ts'

export interface Price {
  credits: number
  /** What multiplied the base price, for the ledger; null for a fixed price. */
  input: string | null
}

/** Price of one request, from its parsed input alone: blind to headers, to the order and to repeats of items. */
export function priceOf(route: Route, input: RouteInput<unknown, unknown, unknown>): Price {
  const { credits, multiplied } = route
  if (!multiplied) return { credits, input: null }
  const items = multiplied.items(input)
  const all = items.filter((item) => item === 'all').length
  const one = items.length - all
  return { credits: one * credits + all * multiplied.creditsAll, input: `${one} one, ${all} all` }
}
