import type { z } from 'zod'
import { type ApiError, invalidParameter, malformedId, MissingParameters } from './errors.ts'
import type { RawQuery } from './query-string.ts'
import { reasonOf } from './reasons.ts'
import type { Route, RouteInput } from './route.ts'

interface RawInput {
  path: unknown
  query: RawQuery
  body: unknown
  headers: unknown
}

/**
 * Parses the input of a route. Throws 400 with the name of the first invalid parameter and the reason, and 404
 * for a path parameter that no id can be. The 400 is MissingParameters when parameters are only missing.
 */
export function parseInput(
  route: Pick<Route, 'pathParams' | 'query' | 'requestBody' | 'headers'>,
  raw: RawInput,
): RouteInput<unknown, unknown, unknown> {
  const path = route.pathParams && read(route.pathParams, raw.path, 'path')
  const [wrongPath] = path?.wrong ?? []
  if (wrongPath) throw (wrongPath.isChoice ? invalidParameter : malformedId)(wrongPath.name, wrongPath.reason)
  const query = route.query && read(route.query, raw.query, 'query')
  const body = route.requestBody && read(route.requestBody, raw.body, 'body')
  const headers = route.headers && read(route.headers, raw.headers, 'headers')
  const wrong = [query, body, headers].flatMap((part) => part?.wrong ?? [])
  if (wrong.length > 0) throw errorOf(wrong)
  return { path: path?.data, query: query?.data, body: body?.data, headers: headers?.data }
}

interface Wrong {
  name: string
  isMissing: boolean
  /** See `param`. */
  isChoice: boolean
  reason: string
}

function read(schema: z.ZodType, value: unknown, place: string): { data?: unknown; wrong?: Wrong[] } {
  const result = schema.safeParse(value, { error: place === 'query' ? reasonInQuery : reasonOf })
  if (result.success) return { data: result.data }
  return {
    wrong: result.error.issues.map((issue) => {
      const [name, ...inside] = issue.path
      // The first path element of an issue is a name from the schema, except inside records.
      const isNamed = typeof name === 'string'
      return {
        name: isNamed ? name : place,
        isMissing: isNamed && (value as Record<string, unknown> | undefined)?.[name] === undefined,
        isChoice: issue.code === 'custom' && issue.params?.['isChoice'] === true,
        reason: inside.length === 0 ? issue.message : `In ${spelled(issue.path)}: ${issue.message}`,
      }
    }),
  }
}

/** A repeated name gives a list, which no parameter takes. */
const reasonInQuery = (issue: z.core.$ZodRawIssue): string =>
  Array.isArray(issue.input) ? 'It must be sent once' : reasonOf(issue)

/** `wallets[3].address` */
const spelled = (path: readonly PropertyKey[]): string =>
  path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('')

function errorOf(wrong: readonly Wrong[]): ApiError {
  const [first, ...others] = new Set(wrong.map(({ name }) => name)) as unknown as [string, ...string[]]
  const { reason } = wrong[0]!
  return wrong.every(({ isMissing }) => isMissing)
    ? new MissingParameters([first, ...others], reason)
    : invalidParameter(first, reason)
}
