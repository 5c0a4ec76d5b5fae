import type { Answer } from './route.ts'
import { oldest } from './shapes.ts'
import { isBytes, isText, toJson } from './to-json.ts'

/** A header longer than this would not pass some proxies. */
const NAMES_IN_HEADER = 20

/** The JSON text of an answer. An object that is not complete names what is missing in `meta.pending`. */
export function textOf({ body, pending = [] }: Answer<unknown>): string {
  if (pending.length === 0 || Array.isArray(body) || isText(body)) return toJson(body)
  const { meta, ...rest } = body as { meta?: object }
  return toJson({ ...rest, meta: { ...meta, pending } })
}

/** The JSON of an answer, as it is sent. */
export const jsonOf = (answer: Answer<unknown>): string | Buffer =>
  isBytes(answer.body) ? answer.body.bytes : textOf(answer)

/**
 * Headers about the data of an answer. X-Price-As-Of is the time of the oldest price on which its present figures
 * rest, X-Data-As-Of that of its oldest data, prices included; the others say what is missing.
 */
export function dataHeaders(answer: Answer<unknown>): Record<string, string> {
  const { asOf, priceAsOf, hiddenSpam = 0, hiddenDust = 0, pending = [] } = answer
  const data = oldest([asOf, priceAsOf])
  const named = pending.slice(0, NAMES_IN_HEADER)
  return {
    ...(data && { 'x-data-as-of': data.toISOString() }),
    ...(priceAsOf && { 'x-price-as-of': priceAsOf.toISOString() }),
    ...(hiddenSpam > 0 && { 'x-hidden-spam': String(hiddenSpam) }),
    ...(hiddenDust > 0 && { 'x-hidden-dust': String(hiddenDust) }),
    ...(pending.length > 0 && {
      'x-sync-status': 'syncing',
      'x-sync-pending': [...named, ...(pending.length > named.length ? ['...'] : [])].join(', '),
    }),
  }
}
