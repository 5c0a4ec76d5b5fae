import type { ReadonlyDb } from '../db/schema.ts'
import type { Answer, Route, RouteContext, RouteInput } from './route.ts'

/**
 * Runs the handler of a route. A route with `mayLag` reads the replica, if there is one. When that fails, the
 * primary decides, because the replica may be down or may lack rows written a moment ago.
 */
export async function askHandler(
  route: Route,
  input: RouteInput<unknown, unknown, unknown>,
  { context, replica }: { context: RouteContext; replica?: ReadonlyDb | undefined },
): Promise<Answer<unknown>> {
  if (!route.mayLag || !replica) return route.handler(input, context)
  try {
    return await route.handler(input, { ...context, db: replica, firstReads: null })
  } catch {
    return route.handler(input, context)
  }
}
