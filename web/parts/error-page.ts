import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, isUnavailable } from '../../api/errors.ts'
import { html } from './html.ts'
import { sendPage } from './send-page.ts'

/** An error for somebody in front of a browser. What is not a choice of ours is logged and stays inside. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, message } = describe(error)
  if (statusCode >= 500) {
    const { message: reason, stack } = error as Error
    request.log.error(
      { requestId: request.id, endpoint: request.routeOptions.url, reason, stack },
      'page failed',
    )
  }
  const body = html`<p class="panel problem">${message}</p>
    <p class="soft">Request ${request.id}</p>`
  sendPage(reply, { status: statusCode, title: 'This did not work', body })
}

function describe(error: unknown): { statusCode: number; message: string } {
  if (error instanceof ApiError) return error
  if (isUnavailable(error))
    return { statusCode: 503, message: 'The service is out of reach. Try again in a moment.' }
  // Of the form parser.
  const { statusCode } = error as { statusCode?: number }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { statusCode, message: 'This form cannot be read.' }
  return { statusCode: 500, message: 'Something went wrong on our side.' }
}
