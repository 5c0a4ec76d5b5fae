import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteHandlerMethod,
} from 'fastify'
import { uuidV7 } from '../db/values/uuid-v7.ts'
import { answerClientError, writeError } from './client-error.ts'
import { sendError } from './error-reply.ts'
import { methodNotAllowed, notFound, unavailable } from './errors.ts'
import { checkRawRequest } from './request-checks.ts'
import { MAX_PARAM_LENGTH, type Route } from './route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration of the route. Absent on pages outside of the route table. */
    row?: Route
    /** Value of the Allow header of the path. */
    allow?: string
  }
}

export interface HttpServerDeps {
  now: () => Date
  logger: FastifyBaseLogger
  /** Headers of every response. */
  headers: Record<string, string>
  /** Headers of responses to OPTIONS, besides Allow. */
  preflight?: Record<string, string>
  /** Whether each GET route also answers HEAD. */
  head: boolean
  /** Milliseconds that a client has for its headers and for the whole request. */
  timeouts?: { headersMs: number; requestMs: number }
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. Absent: none */
  trustedProxies?: string
  /** Answers a request that failed. Absent: with the body of the contract */
  onError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
  /** Hooks that see all requests, including those that the first checks refuse. */
  watch?: readonly ((app: FastifyInstance) => void)[]
}

const MAX_BODY_BYTES = 1_048_576
const MAX_CONCURRENT = 4_000
const DEFAULT_TIMEOUTS = { headersMs: 10_000, requestMs: 15_000 }

/** The handlers of a path, by method. */
export interface ServedPath {
  /** In the router's syntax. */
  url: string
  served: { method: Route['method']; row?: Route; handler: RouteHandlerMethod }[]
}

export interface HttpServer {
  app: FastifyInstance
  /** The first checks refuse every method that the path does not serve. */
  addPath: (path: ServedPath) => void
}

/**
 * Creates the HTTP server that API and gateway share: errors with the body of the contract, and the first
 * checks in this order: capacity, raw HTTP, route, method. It does not listen yet.
 */
export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { timeouts = DEFAULT_TIMEOUTS, onError = sendError } = deps
  const newRequestId = () => uuidV7(deps.now().getTime())
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Failures are logged with their request id. A logger per request would cost more than all checks.
    childLoggerFactory: (logger) => logger,
    exposeHeadRoutes: deps.head,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newRequestId,
    trustProxy: deps.trustedProxies ?? false,
    frameworkErrors: onError,
    clientErrorHandler: (error, socket) => answerClientError({ error, socket, requestId: newRequestId() }),
    // A request line with an absolute URL names the same resource.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    // Query strings are parsed later, by parseQueryString.
    routerOptions: {
      querystringParser: (text) => text as unknown as Record<string, unknown>,
      maxParamLength: MAX_PARAM_LENGTH,
    },
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    },
  })
  const anywhere = deps.head ? 'GET, HEAD, OPTIONS' : 'GET, OPTIONS'
  app.server.on('connect', (_request: unknown, socket: Socket) =>
    writeError({ error: methodNotAllowed(anywhere), socket, requestId: newRequestId() }),
  )
  for (const watch of deps.watch ?? []) watch(app)
  app.removeAllContentTypeParsers()
  app.setErrorHandler(onError)
  app.setNotFoundHandler((request, reply) => onError(notFound(), request, reply))
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  addFirstChecks(app, deps)
  return { app, addPath: (path) => addPath(app, path, deps.head) }
}

function addFirstChecks(app: FastifyInstance, deps: HttpServerDeps): void {
  let concurrent = 0
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    // Node closes connections that are idle now, but not those that become idle later or have sent nothing
    // yet.
    const sweep = setInterval(() => {
      if (concurrent === 0) app.server.closeAllConnections()
      else app.server.closeIdleConnections()
    }, 50)
    app.server.once('close', () => clearInterval(sweep))
  })
  app.addHook('onRequest', async (request, reply) => {
    concurrent++
    reply.raw.once('close', () => concurrent--)
    reply.header('x-request-id', request.id).headers(deps.headers)
    if (closing) reply.header('connection', 'close')
    if (concurrent > MAX_CONCURRENT) throw unavailable()
    checkRawRequest(request)
    const { allow } = request.routeOptions.config
    if (allow === undefined) return
    if (request.method === 'OPTIONS')
      return reply
        .code(204)
        .header('allow', allow)
        .headers(deps.preflight ?? {})
        .send()
    if (!allow.split(', ').includes(request.method)) throw methodNotAllowed(allow)
  })
}

/** Adds a path to a server or to the scope of a plugin. `heads`: each GET route also answers HEAD. */
export function addPath(app: FastifyInstance, { url, served }: ServedPath, heads: boolean): void {
  const methods = served.map(({ method }) => method as string)
  const head = heads && methods.includes('GET')
  const allow = [...methods, ...(head ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  for (const { method, row, handler } of served)
    app.route({ method, url, config: { ...(row && { row }), allow }, handler })
  const others = app.supportedMethods.filter(
    (method) => !methods.includes(method) && !(method === 'HEAD' && head),
  )
  app.route({ method: others, url, config: { allow }, handler: async () => {} })
}
