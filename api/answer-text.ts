import { ageHeaders } from './age-headers.ts'
import type { Answer } from './route.ts'
import { isText, toJson } from './to-json.ts'

/** A header longer than this would not pass some proxies. */
const NAMES_IN_HEADER = 20

/** The JSON text of an answer. An object that is not complete names what is missing in `meta.pending`. */
export function textOf({ body, pending = [] }: Answer<unknown>): string {
  if (pending.length === 0 || Array.isArray(body) || isText(body)) return toJson(body)
  const { meta, ...rest } = body as { meta?: object }
  return toJson({ ...rest, meta: { ...meta, pending } })
}

/** Headers about the data of an answer: its age, and what is missing. */
export function dataHeaders({ pending = [], ...ages }: Answer<unknown>): Record<string, string> {
  const named = pending.slice(0, NAMES_IN_HEADER)
  return {
    ...ageHeaders(ages),
    ...(pending.length > 0 && {
      'x-sync-status': 'syncing',
      'x-sync-pending': [...named, ...(pending.length > named.length ? ['...'] : [])].join(', '),
    }),
  }
}
