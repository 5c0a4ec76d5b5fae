import type { FinishedSpan } from './tracer.ts'

/** OTLP's numbers for kinds of spans. */
const SPAN_KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } satisfies Record<
  FinishedSpan['kind'],
  number
>

const ERROR = 2

/** Encodes spans as the JSON body of an OTLP/HTTP request, format opentelemetry-proto 1.x. */
export function encodeSpans(service: string, spans: readonly FinishedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes({ 'service.name': service }) },
        scopeSpans: [{ scope: { name: 'sluice' }, spans: spans.map(encodeSpan) }],
      },
    ],
  })
}

function encodeSpan(span: FinishedSpan) {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failure } = span
  const failed = failure === null ? {} : { 'error.type': failure }
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: SPAN_KIND[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: encodeAttributes({ ...attributes, ...failed }),
    ...(failure !== null && { status: { code: ERROR } }),
  }
}

/** Returns whole microseconds followed by zeros, because a double does not hold nanoseconds. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

const encodeAttributes = (attributes: Record<string, string | number>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.round(value)) },
  }))
