import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, isUnavailable } from '../../api/errors.ts'
import { html } from './html.ts'
import { sendPage } from './send-page.ts'

/** Sends an error as a page. Unexpected errors are logged and not shown. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, message, headers = {} } = describe(error)
  if (statusCode >= 500) {
    const { message: reason, stack } = error as Error
    request.log.error(
      { requestId: request.id, endpoint: request.routeOptions.url, reason, stack },
      'page failed',
    )
  }
  const body = html`<p class="panel problem">${message}</p>
    <p class="soft">Request ${request.id}</p>`
  sendPage(reply.headers(headers), { status: statusCode, title: 'Request failed', body })
}

function describe(
  error: unknown,
): Pick<ApiError, 'statusCode' | 'message'> & Partial<Pick<ApiError, 'headers'>> {
  if (error instanceof ApiError) return error
  if (isUnavailable(error))
    return { statusCode: 503, message: 'The service is unavailable. Try again in a moment.' }
  // From the form parser.
  const { statusCode } = error as { statusCode?: number }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { statusCode, message: 'The form could not be read. Reload the page and try again.' }
  return { statusCode: 500, message: 'Something went wrong on our side.' }
}
