import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { page, type PageContent, pageHeaders } from './page.ts'

/**
 * Sends a whole document, by default with status 200. `compressed`: only for pages that repeat nothing of the
 * request but choices from lists, because the length of others would tell a guesser about the token of their forms
 * (BREACH).
 */
export function sendPage(
  reply: FastifyReply,
  {
    status = 200,
    formTargets = [],
    compressed = false,
    ...content
  }: PageContent & { status?: number; formTargets?: string[]; compressed?: boolean },
): FastifyReply {
  reply
    .code(status)
    .headers(pageHeaders({ scripted: content.script !== undefined, formTargets, brand: content.brand }))
  const document = page(content)
  if (!compressed) return reply.send(document)
  reply.header('vary', 'accept-encoding')
  const accepted = reply.request.headers['accept-encoding'] ?? ''
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(accepted))) return reply.send(document)
  return reply.header('content-encoding', 'gzip').send(gzipSync(document))
}
