import type { FastifyReply } from 'fastify'
import type { Html } from './page/html.ts'
import { page, pageHeaders } from './page/page.ts'

/** Sends a whole document, with status 200 when nothing else is said. */
export function sendPage(
  reply: FastifyReply,
  { status = 200, ...content }: { status?: number; title: string; header?: Html; body: Html },
): FastifyReply {
  return reply.code(status).headers(pageHeaders()).send(page(content))
}
