import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import { creditsSpent, insufficientCredits, rateLimited } from './errors.ts'

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
/** The client disconnected before the response. */
const ABORTED = 'aborted'

/** The reason of a 429, by error message. */
const REFUSALS = new Map([
  [rateLimited({}).message, 'rate_limit'],
  [creditsSpent().message, 'credits_spent'],
  [insufficientCredits().message, 'credits_insufficient'],
])

/** Measures the responses of a server by declared route. Call it before anything else is added. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry]
  const durations = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'Seconds from the first check of a request until its response was handed to the socket.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers,
  })
  const refused = new Counter({
    name: 'sluice_requests_refused_total',
    help: 'Requests answered with 429: above the rate limit or without enough credits.',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of REFUSALS.values()) refused.inc({ reason }, 0)
  // Caches the labelled metric by text, so that label objects are created only once.
  const known = new Map<string, { observe: (seconds: number) => void }>()

  app.addHook('onRequest', (request, reply, done) => {
    const startMs = performance.now()
    reply.raw.once('close', () => {
      const route = request.routeOptions.url ?? 'none'
      const status = reply.raw.headersSent ? String(reply.raw.statusCode) : ABORTED
      // A stream is open for as long as its client wants.
      if (request.routeOptions.config.row?.kind === 'stream' && status === '200') return
      const method = METHODS.has(request.method) ? request.method : 'other'
      const key = `${method} ${route} ${status}`
      let child = known.get(key)
      if (!child) known.set(key, (child = durations.labels({ method, route, status })))
      child.observe((performance.now() - startMs) / 1_000)
    })
    done()
  })
  app.addHook('onError', (_request, _reply, error, done) => {
    const reason = REFUSALS.get(error.message)
    if (reason !== undefined) refused.inc({ reason })
    done()
  })
}
