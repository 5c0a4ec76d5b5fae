import type { FastifyReply } from 'fastify'
import { page, type PageContent, pageHeaders } from './page.ts'

/** Sends a whole document, by default with status 200. */
export function sendPage(
  reply: FastifyReply,
  { status = 200, ...content }: PageContent & { status?: number },
): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders({ scripted: content.script !== undefined }))
    .send(page(content))
}
