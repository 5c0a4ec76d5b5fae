import type { FastifyInstance } from 'fastify'
import { parseTraceparent } from '../ops/telemetry/traceparent.ts'
import type { SpanContext, Tracer } from '../ops/telemetry/tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span?: SpanContext
  }
}

/**
 * Creates a span per request and continues the trace of its `traceparent`. The span has the declared route,
 * because paths and query strings may hold secrets. Call it before anything else is added.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { traceparent } = request.headers
    const span = tracer.start({
      name: `${request.method} ${route}`,
      kind: 'server',
      parent: parseTraceparent(typeof traceparent === 'string' ? traceparent : null),
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'sluice.request_id': request.id,
      },
    })
    request.span = span.context
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode
      const isAnswered = reply.raw.headersSent
      span.end({
        ...(isAnswered && { attributes: { 'http.response.status_code': status } }),
        ...((!isAnswered || status >= 500) && { error: { code: isAnswered ? String(status) : 'aborted' } }),
      })
    })
    tracer.within(span.context, done)
  })
  // Reading a body switches to the context of its socket, so the span is set again.
  app.addHook('preHandler', (request, _reply, done) => tracer.within(request.span, done))
}
