import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../../api/error-reply.ts'
import { ApiError, isUnavailable, notFound } from '../../api/errors.ts'
import { html, type Html } from './html.ts'
import { sendPage } from './send-page.ts'

/** Where somebody goes on after an error. */
export interface WayOn {
  href: string
  text: string
}

const PLACES: readonly [at: RegExp, way: WayOn][] = [
  [/^\/account\b/, { href: '/account', text: 'To your account' }],
  [/^\/console\b/, { href: '/console', text: 'To the console' }],
  [/^\/demo\b/, { href: '/demo', text: 'To the demo' }],
  [/^\/v1\/docs\b/, { href: '/v1/docs', text: 'To the reference' }],
]
const START: WayOn = { href: '/', text: 'To the start page' }

/** The link with which an error page ends. */
export function wayOn(request: FastifyRequest): Html {
  // Their visitors came from an app, in a window of its own.
  if (request.url.startsWith('/connect/'))
    return html`<p>Close this window, and start again in the app that sent you here.</p>`
  return linkOn(PLACES.find(([at]) => at.test(request.url))?.[1] ?? START)
}

const linkOn = ({ href, text }: WayOn): Html => html`<p><a class="button" href="${href}">${text}</a></p>`

/** Sends an error as a page. Unexpected errors are logged and not shown. `way`: absent: what fits the address. */
export function sendErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  way?: WayOn,
): void {
  const { statusCode, message, headers = {} } = describe(error)
  if (statusCode >= 500) {
    const { message: reason, stack } = error as Error
    request.log.error(
      { requestId: request.id, endpoint: request.routeOptions.url, reason, stack },
      'page failed',
    )
  }
  const body = html`<p class="panel problem">${message}</p>
    ${way ? linkOn(way) : wayOn(request)}
    <p class="soft">Request ${request.id}</p>`
  sendPage(reply.headers(headers), { status: statusCode, title: 'Request failed', body })
}

/** Sends an error to whoever asked: to a person with a browser a page, to a program the body of the contract. */
export function sendErrorToReader(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  way?: WayOn,
): void {
  const { url, headers, routeOptions } = request
  const isForPrograms = routeOptions.config?.row !== undefined || /^\/v1(?!\/docs\b)\b/.test(url)
  if (isForPrograms || !headers.accept?.includes('text/html')) sendError(error, request, reply)
  else sendErrorPage(error, request, reply, way)
}

const inWords: Record<string, string> = {
  'Not Found': 'There is no page at this address.',
  'Method Not Allowed': 'This address only takes a form. Open the page of the form.',
}

function describe(
  error: unknown,
): Pick<ApiError, 'statusCode' | 'message'> & Partial<Pick<ApiError, 'headers'>> {
  if (error instanceof ApiError) {
    const { statusCode, message, headers } = error
    return { statusCode, headers, message: inWords[message] ?? message }
  }
  if (isUnavailable(error))
    return { statusCode: 503, message: 'The service is unavailable. Try again in a moment.' }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return describe(notFound())
  // From the form parser.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { statusCode, message: 'The form could not be read. Reload the page and try again.' }
  return { statusCode: 500, message: 'Something went wrong on our side.' }
}
