import type { FastifyReply } from 'fastify'
import { page, type PageContent, pageHeaders } from './page.ts'

/** Sends a whole document, by default with status 200. */
export function sendPage(
  reply: FastifyReply,
  { status = 200, formTargets = [], ...content }: PageContent & { status?: number; formTargets?: string[] },
): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders({ scripted: content.script !== undefined, formTargets, brand: content.brand }))
    .send(page(content))
}
