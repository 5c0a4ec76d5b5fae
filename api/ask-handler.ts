import type { ReadonlyDb } from '../db/connect.ts'
import type { Answer, Route, RouteContext, RouteInput } from './route.ts'

/**
 * Asks the handler of a route. Where older data will do and there is a replica, it reads that one; what fails there, the
 * primary decides: the replica may be away, or not know yet what was synced or created a moment ago.
 */
export async function askHandler(
  route: Route,
  input: RouteInput<unknown, unknown, unknown>,
  { context, replica }: { context: RouteContext; replica?: ReadonlyDb | undefined },
): Promise<Answer<unknown>> {
  if (!route.mayLag || !replica) return route.handler(input, context)
  try {
    return await route.handler(input, { ...context, db: replica })
  } catch {
    return route.handler(input, context)
  }
}
