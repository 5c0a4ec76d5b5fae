import type { z } from 'zod'
import { type ApiError, invalidParameter, MissingParameters, notFound } from './errors.ts'
import { parseQueryString } from './query-string.ts'
import type { Route, RouteInput } from './route.ts'

interface RawInput {
  path: unknown
  queryString: string
  body: unknown
  headers: unknown
}

/**
 * Parses the input of a route. Throws 404 for an invalid path parameter, else 400 with the name of the first
 * invalid parameter. The 400 is MissingParameters when parameters are only missing.
 */
export function parseInput(route: Route, raw: RawInput): RouteInput<unknown, unknown, unknown> {
  const path = route.pathParams?.safeParse(raw.path)
  if (path && !path.success) throw notFound()
  const given = parseQueryString(raw.queryString)
  const query = route.query && read(route.query, given, 'query')
  const body = route.requestBody && read(route.requestBody, raw.body, 'body')
  const headers = route.headers && read(route.headers, raw.headers, 'headers')
  const wrong = [query, body, headers].flatMap((part) => part?.wrong ?? [])
  if (wrong.length > 0) throw errorOf(wrong)
  return { path: path?.data, query: query?.data, body: body?.data, headers: headers?.data }
}

interface Wrong {
  name: string
  isMissing: boolean
}

function read(schema: z.ZodType, value: unknown, place: string): { data?: unknown; wrong?: Wrong[] } {
  const result = schema.safeParse(value)
  if (result.success) return { data: result.data }
  return {
    wrong: result.error.issues.map(({ path: [name] }) =>
      // The first path element of an issue is a name from the schema, except inside records.
      typeof name === 'string'
        ? { name, isMissing: (value as Record<string, unknown> | undefined)?.[name] === undefined }
        : { name: place, isMissing: false },
    ),
  }
}

function errorOf(wrong: readonly Wrong[]): ApiError {
  const [first, ...others] = new Set(wrong.map(({ name }) => name)) as unknown as [string, ...string[]]
  return wrong.every(({ isMissing }) => isMissing)
    ? new MissingParameters([first, ...others])
    : invalidParameter(first)
}
