import type { FastifyInstance } from 'fastify'
import { notFound } from '../api/errors.ts'
import { createHttpServer, type HttpServerDeps } from '../api/http-server.ts'
import { checkBody } from '../api/request-checks.ts'
import type { Route } from '../api/route.ts'
import { isExactPath } from './exact-path.ts'
import { gatewayPages } from './offer/pages.ts'
import { type CallDeps, createServeCall } from './serve-call.ts'

export interface GatewayDeps
  extends CallDeps, Pick<HttpServerDeps, 'logger' | 'timeouts' | 'trustedProxies' | 'watch'> {
  routes: readonly Route[]
  /** Answers hold sandbox data and carry `X-Data-Source: sandbox`. */
  sandbox: boolean
}

/** Headers of every answer: any site may call and read payment headers; caches store nothing. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, X-Request-Id, X-Data-As-Of, X-Price-As-Of, X-Hidden-Spam, X-Hidden-Dust, X-Data-Source, X-Sync-Status, X-Sync-Pending, X-Unknown-Parameters, Preference-Applied, Retry-After',
  'cache-control': 'private, no-store',
  vary: 'Cookie, X-PAYMENT, PAYMENT-SIGNATURE, sharetoken, passcode',
}

const PREFLIGHT = {
  'access-control-allow-methods': 'GET',
  // The official x402 clients send the last one by mistake.
  'access-control-allow-headers':
    'X-PAYMENT, PAYMENT-SIGNATURE, sharetoken, passcode, Prefer, Access-Control-Expose-Headers',
  'access-control-max-age': '86400',
}

/** Builds the gateway: all priced GET routes under their path without /v1. It does not listen yet. */
export function createGateway(deps: GatewayDeps): FastifyInstance {
  const { now, logger, timeouts, trustedProxies, sandbox, publicUrl, payTo, pricing, watch = [] } = deps
  const priced = deps.routes.filter(({ method, x402 }) => method === 'GET' && x402 !== null)
  const { app, addPath } = createHttpServer({
    now,
    logger,
    watch,
    head: false,
    preflight: PREFLIGHT,
    ...(timeouts && { timeouts }),
    ...(trustedProxies && { trustedProxies }),
    headers: { ...HEADERS, ...(sandbox && { 'x-data-source': 'sandbox' }) },
  })
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.allow !== undefined) checkBody(request)
  })
  const serve = createServeCall(deps)
  for (const row of priced)
    addPath({
      url: row.path.replace(/\{(\w+)\}/g, ':$1'),
      served: [
        {
          method: 'GET',
          row,
          handler: async (request, reply) => {
            if (!isExactPath({ template: row.path, target: request.raw.url! })) throw notFound()
            return serve({ route: row, request, reply })
          },
        },
      ],
    })
  for (const { url, headers, body } of gatewayPages({ routes: priced, publicUrl, payTo, pricing }))
    addPath({
      url,
      served: [{ method: 'GET', handler: async (_request, reply) => reply.headers(headers).send(body) }],
    })
  return app
}
