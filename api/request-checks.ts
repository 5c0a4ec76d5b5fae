import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { badRequest, payloadTooLarge, unsupportedMediaType } from './errors.ts'

/** On a larger body the connection is closed at once. */
const MOST_DISCARDED_BYTES = 8 * 1_048_576

/** Checks HTTP rules that Node's parser does not enforce. Throws 400. */
export function checkRawRequest(request: FastifyRequest): void {
  const { raw } = request
  const hosts = raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
  ).length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) throw badRequest()
}

/** Refuses a body before it is read: on a method without one (400), compressed, or not in UTF-8 (415). */
export function checkBody(request: FastifyRequest): void {
  const { method, headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  if (method === 'GET' || method === 'HEAD') throw badRequest()
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw unsupportedMediaType()
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') throw unsupportedMediaType()
}

/**
 * Refuses a body above the limit of its route (413). Reads it first: a client that is still sending when the
 * connection closes never sees the answer.
 */
export async function checkBodySize({ headers, routeOptions, raw }: FastifyRequest): Promise<void> {
  const bytes = Number(headers['content-length'] ?? 0)
  if (bytes <= routeOptions.bodyLimit || bytes > MOST_DISCARDED_BYTES) return
  // A client that has left needs no answer.
  await finished(raw.resume()).catch(() => {})
  throw payloadTooLarge()
}

/** The API key or bearer token of a request. null when there is none, or when header and bearer differ. */
export function credentialOf(request: FastifyRequest): string | null {
  const { headers } = request
  const given = headers['x-api-key']
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (headers.authorization !== undefined && bearer === undefined) return null
  if (given !== undefined && bearer !== undefined && given !== bearer) return null
  const key = given ?? bearer
  return typeof key === 'string' ? key : null
}
