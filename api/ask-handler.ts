import type { ReadonlyDb } from '../db/schema.ts'
import { figuresAnswer } from './figures/kept-figures.ts'
import type { Answer, Route, RouteContext, RouteInput } from './route.ts'
import { sharedAnswer } from './shared-answers.ts'

/**
 * Runs the handler of a route, or takes an answer that is kept. A route with `mayLag` reads the replica, if there is
 * one. When that fails, the primary decides, because the replica may be down or may lack rows written a moment ago.
 */
export async function askHandler(
  route: Route,
  input: RouteInput<unknown, unknown, unknown>,
  { context, replica }: { context: RouteContext; replica?: ReadonlyDb | undefined },
): Promise<Answer<unknown>> {
  const ask = (of: RouteContext) => {
    if (route.shared) return sharedAnswer(route, input, of)
    return route.figures ? figuresAnswer(route, input, of) : route.handler(input, of)
  }
  if (!route.mayLag || !replica) return ask(context)
  try {
    return await ask({ ...context, db: replica, firstReads: null })
  } catch {
    return ask(context)
  }
}
