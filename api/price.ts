import type { Route, RouteInput } from './route.ts'

/** Credits of one request, from its parsed input alone: blind to headers, to the order and to repeats of items. */
export function priceOf(route: Route, input: RouteInput<unknown, unknown, unknown>): number {
  const { credits, multiplied } = route
  if (!multiplied) return credits
  let total = 0
  for (const item of multiplied.items(input)) total += item === 'all' ? multiplied.creditsAll : credits
  return total
}
