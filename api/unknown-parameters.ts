import type { FastifyReply, FastifyRequest } from 'fastify'
import { nearest } from '../ops/settings/nearest.ts'
import { invalidParameter } from './errors.ts'
import { toJsonSchema } from './json-schema.ts'
import type { RawQuery } from './query-string.ts'
import { MOST_CHARACTERS, shownName } from './reasons.ts'
import type { Route } from './route.ts'

/** Unknown parameters that one header names. */
const NAMED = 10

/**
 * Names query parameters that the route does not have in a header: they are ignored, because clients may know
 * those of a later version. Throws 400 instead for a client that prefers strict handling (RFC 7240).
 */
export function checkUnknownParameters(call: {
  route: Route
  query: RawQuery
  request: FastifyRequest
  reply: FastifyReply
}): void {
  const { route, query, request, reply } = call
  const isStrict = prefersStrict(request.headers['prefer'])
  if (isStrict) reply.header('preference-applied', 'handling=strict')
  const known = namesOf(route)
  const unknown = Object.keys(query).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const more = unknown.length > NAMED ? [`and ${unknown.length - NAMED} more`] : []
  const named = unknown.slice(0, NAMED).map((name) => shownName(name) + meant(name, known))
  reply.header('x-unknown-parameters', [...named, ...more].join(', '))
  const [first] = unknown as [string]
  if (isStrict) throw invalidParameter(shownName(first), `It is unknown here${meant(first, known)}`)
}

const namesByRoute = new WeakMap<Route, ReadonlySet<string>>()

function namesOf(route: Route): ReadonlySet<string> {
  const kept = namesByRoute.get(route)
  if (kept) return kept
  const names = new Set(
    Object.keys((route.query && (toJsonSchema(route.query, 'input')['properties'] as object)) ?? {}),
  )
  namesByRoute.set(route, names)
  return names
}

function meant(name: string, known: ReadonlySet<string>): string {
  if (name.length > MOST_CHARACTERS) return ''
  const names = [...known]
  const found = names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? nearest(name, names)
  return found === null ? '' : `; did you mean ${found}?`
}

/** Whether a Prefer header contains `handling=strict`. The first `handling` counts. */
function prefersStrict(header: string | string[] | undefined): boolean {
  const handling = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)/i.exec(String(header ?? ''))?.[1]
  return handling?.toLowerCase() === 'strict'
}
