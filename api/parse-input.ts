import type { z } from 'zod'
import { invalidParameter, notFound } from './errors.ts'
import { parseQueryString } from './query-string.ts'
import type { Route, RouteInput } from './route.ts'

interface RawInput {
  path: unknown
  queryString: string
  body: unknown
  headers: unknown
}

/**
 * The parsed input of a route. A path that cannot name anything is 404; everything else that is wrong is 400 with the
 * name of the first parameter that is.
 */
export function parseInput(route: Route, raw: RawInput): RouteInput<unknown, unknown, unknown> {
  const path = route.pathParams?.safeParse(raw.path)
  if (path && !path.success) throw notFound()
  const query = parseQueryString(raw.queryString)
  return {
    path: path?.data,
    query: route.query && parsed(route.query, query, 'query'),
    body: route.requestBody && parsed(route.requestBody, raw.body, 'body'),
    headers: route.headers && parsed(route.headers, raw.headers, 'headers'),
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // The path of an issue holds names of the schema only, except inside records.
  const name = result.error.issues[0]?.path[0]
  throw invalidParameter(typeof name === 'string' ? name : place)
}
