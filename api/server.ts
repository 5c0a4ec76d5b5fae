import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { uuidV7 } from '../db/values/uuid-v7.ts'
import { createAdmitRequest } from './admit-request.ts'
import { answerClientError, writeError } from './client-error.ts'
import { sendError } from './error-reply.ts'
import { methodNotAllowed, notFound, unavailable } from './errors.ts'
import { parseJsonBody } from './json-body.ts'
import type { Authorized } from './metering/access.ts'
import type { Issuer } from './metering/bearer.ts'
import { type PublicPage, publicPages } from './public-pages.ts'
import { checkBody, checkRawRequest } from './request-checks.ts'
import type { Route } from './route.ts'
import { createServeRoute, type ServeDeps } from './serve-route.ts'

export interface ServerDeps extends ServeDeps {
  routes: readonly Route[]
  monotonicMs: () => number
  logger: FastifyBaseLogger
  /** Answers rest on sandbox data and say so. */
  sandbox: boolean
  /** Whose bearer tokens are accepted beside keys; absent: nobody's. */
  issuer?: Issuer
  /** Pages beside the table, for browsers; each adds its routes. */
  pages?: readonly ((app: FastifyInstance) => Promise<void>)[]
  /** Milliseconds a client has for its headers, and for the whole request. */
  timeouts?: { headersMs: number; requestMs: number }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row behind the route; absent on pages outside of the table. */
    row?: Route
    /** Methods of the path. */
    allow?: string
  }
  interface FastifyRequest {
    admitted: Authorized | null
  }
}

const PREFIX = '/v1'
const MAX_BODY_BYTES = 1_048_576
const MAX_CONCURRENT = 4_000
const DEFAULT_TIMEOUTS = { headersMs: 10_000, requestMs: 15_000 }

/** The HTTP server of the table. It does not listen yet. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const timeouts = deps.timeouts ?? DEFAULT_TIMEOUTS
  const newRequestId = () => uuidV7(deps.now().getTime())
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Failures are logged with the id of their request; a logger for each request would cost more than the checks.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newRequestId,
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) => answerClientError({ error, socket, requestId: newRequestId() }),
    // The absolute form of a request line names the same resource.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    // Query strings are parsed after key and rate, by rules of our own.
    routerOptions: {
      querystringParser: (text) => text as unknown as Record<string, unknown>,
      maxParamLength: 200,
    },
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    },
  })
  app.server.on('connect', (_request: unknown, socket: Socket) =>
    writeError({ error: methodNotAllowed('GET, HEAD, OPTIONS'), socket, requestId: newRequestId() }),
  )
  acceptJsonOnly(app)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply))
  app.decorateRequest('admitted', null)
  addChecks(app, deps)
  addRoutes(app, deps)
  for (const add of deps.pages ?? []) void app.register(add)
  return app
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The checks before the body is read, in their order: capacity, raw HTTP, route, method, key, rate. */
function addChecks(app: FastifyInstance, deps: ServerDeps): void {
  const admitRequest = createAdmitRequest(deps)
  let concurrent = 0
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    // Node closes what is idle at this moment, but neither what becomes idle later nor what has not asked yet.
    const sweep = setInterval(() => {
      if (concurrent === 0) app.server.closeAllConnections()
      else app.server.closeIdleConnections()
    }, 50)
    app.server.once('close', () => clearInterval(sweep))
  })
  app.addHook('onRequest', async (request, reply) => {
    concurrent++
    reply.raw.once('close', () => concurrent--)
    reply.header('x-request-id', request.id)
    if (deps.sandbox) reply.header('x-data-source', 'sandbox')
    if (closing) reply.header('connection', 'close')
    if (concurrent > MAX_CONCURRENT) throw unavailable()
    checkRawRequest(request)
    const { row, allow } = request.routeOptions.config
    if (allow === undefined) return
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    if (!allow.split(', ').includes(request.method)) throw methodNotAllowed(allow)
    if (row?.deprecatedBy) {
      reply.header('deprecation', 'true')
      reply.header('link', `<${PREFIX}${row.deprecatedBy}>; rel="successor-version"`)
    }
    if (row && !row.public) request.admitted = await admitRequest(request, reply)
    checkBody(request)
  })
}

function addRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const serve = createServeRoute(deps)
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const paths = new Map<string, { rows: Route[]; page?: PublicPage }>()
  for (const row of deps.routes) {
    const url = PREFIX + row.path.replace(/\{(\w+)\}/g, ':$1')
    paths.set(url, { rows: [...(paths.get(url)?.rows ?? []), row] })
  }
  for (const page of publicPages(deps.routes)) paths.set(page.url, { rows: [], page })

  for (const [url, { rows, page }] of paths) {
    const served = [...rows.map(({ method }) => method as string), ...(page ? ['GET'] : [])]
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    for (const row of rows)
      app.route({
        method: row.method,
        url,
        config: { row, allow },
        handler: async (request, reply) => {
          const body = await serve({ route: row, request, reply, admitted: request.admitted })
          return reply.type('application/json; charset=utf-8').send(body)
        },
      })
    if (page)
      app.get(url, { config: { allow } }, async (_request, reply) =>
        reply.headers(page.headers).send(page.body),
      )
    const others = app.supportedMethods.filter(
      (method) => !served.includes(method) && !(method === 'HEAD' && served.includes('GET')),
    )
    // Answered by the checks above.
    app.route({ method: others, url, config: { allow }, handler: async () => {} })
  }
}
