import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { sendErrorToReader } from '../web/parts/error-page.ts'
import { createAdmitRequest } from './admit-request.ts'
import { unsupportedMediaType } from './errors.ts'
import { createHttpServer, type HttpServer, type HttpServerDeps, type ServedPath } from './http-server.ts'
import { parseJsonBody } from './json-body.ts'
import type { Authorized } from './metering/access.ts'
import type { Issuer } from './metering/bearer.ts'
import { publicPages } from './public-pages.ts'
import { checkBody, checkBodySize } from './request-checks.ts'
import type { Route } from './route.ts'
import { createServeRoute, type ServeDeps } from './serve-route.ts'
import { JSON_TYPE } from './to-json.ts'

export interface ServerDeps
  extends ServeDeps, Pick<HttpServerDeps, 'logger' | 'timeouts' | 'trustedProxies' | 'watch'> {
  routes: readonly Route[]
  monotonicMs: () => number
  /** Marks every response as sandbox data. */
  sandbox: boolean
  /** Provider whose bearer tokens are accepted besides keys. Absent: none */
  issuer?: Issuer
  /** Pages for browsers, outside of the route table. Each adds its routes. */
  pages?: readonly ((app: FastifyInstance) => Promise<void>)[]
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Authorized | null
  }
}

const PREFIX = '/v1'
/**
 * Proxies must pass each event on as it comes. Pages of any origin may open a stream with a ticket: there are
 * no cookies.
 */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'access-control-allow-origin': '*',
}

/** The HTTP server of the API. It does not listen yet. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { now, logger, timeouts, trustedProxies, sandbox, watch = [] } = deps
  const headers = sandbox ? { 'x-data-source': 'sandbox' } : {}
  const server = createHttpServer({
    now,
    logger,
    headers,
    watch,
    head: true,
    onError: (error, request, reply) => sendErrorToReader(error, request, reply),
    ...(timeouts && { timeouts }),
    ...(trustedProxies && { trustedProxies }),
  })
  const { app } = server
  acceptJsonOnly(app)
  app.decorateRequest('admitted', null)
  addChecks(app, deps)
  // The server closes when all answers have ended.
  app.addHook('preClose', async () => deps.events.streams.close())
  addRoutes(server, deps)
  for (const add of deps.pages ?? []) void app.register(add)
  return app
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  // Standard clients of Ruby and Python send a form type with an empty body. A body without bytes has no type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    body.length === 0 ? done(null, undefined) : done(unsupportedMediaType()),
  )
}

/** The checks between the first ones and the body: key and rate. */
function addChecks(app: FastifyInstance, deps: ServerDeps): void {
  const admitRequest = createAdmitRequest(deps)
  app.addHook('onRequest', async (request, reply) => {
    const { row, allow } = request.routeOptions.config
    if (allow === undefined) return
    if (row?.deprecatedBy) {
      reply.header('deprecation', 'true')
      reply.header('link', `<${PREFIX}${row.deprecatedBy}>; rel="successor-version"`)
    }
    if (row && !row.public) request.admitted = await admitRequest(request, reply)
    checkBody(request)
    await checkBodySize(request)
  })
}

function addRoutes({ addPath }: HttpServer, deps: ServerDeps): void {
  const serve = createServeRoute(deps)
  const paths = new Map<string, ServedPath['served']>()
  for (const row of deps.routes) {
    const url = PREFIX + row.path.replace(/\{(\w+)\}/g, ':$1')
    const handler: ServedPath['served'][number]['handler'] = async (request, reply) => {
      const body = await serve({ route: row, request, reply, admitted: request.admitted })
      if (body instanceof Readable) reply.headers(STREAM_HEADERS)
      else if (!reply.hasHeader('content-type')) reply.type(JSON_TYPE)
      return reply.send(body)
    }
    paths.set(url, [...(paths.get(url) ?? []), { method: row.method, row, handler }])
  }
  for (const { url, status, headers, body } of publicPages(deps.routes)) {
    const handler: ServedPath['served'][number]['handler'] = async (request, reply) => {
      const [path] = request.url.split('?') as [string]
      const text = typeof body === 'string' ? body : body({ path, query: (request.query ?? '') as string })
      return reply.code(status).headers(headers).send(text)
    }
    paths.set(url, [{ method: 'GET', handler }])
  }
  for (const [url, served] of paths) addPath({ url, served })
}
