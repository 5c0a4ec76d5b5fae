import type { FastifyRequest } from 'fastify'
import { badRequest, unsupportedMediaType } from './errors.ts'

/** What HTTP itself demands and the parser below lets pass. Throws 400 or 415. */
export function checkRawRequest(request: FastifyRequest): void {
  const { raw } = request
  const hosts = raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
  ).length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) throw badRequest()
}

/** A body on a request that cannot have one, or a packed one, is refused before it is read. */
export function checkBody(request: FastifyRequest): void {
  const { method, headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && (method === 'GET' || method === 'HEAD')) throw badRequest()
  if (hasBody && (headers['content-encoding'] ?? 'identity') !== 'identity') throw unsupportedMediaType()
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') throw unsupportedMediaType()
}

/** The one API key or bearer token of a request; null when there is none, or more than one that differ. */
export function credentialOf(request: FastifyRequest): string | null {
  const { headers } = request
  const given = headers['x-api-key']
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (headers.authorization !== undefined && bearer === undefined) return null
  if (given !== undefined && bearer !== undefined && given !== bearer) return null
  const key = given ?? bearer
  return typeof key === 'string' ? key : null
}
