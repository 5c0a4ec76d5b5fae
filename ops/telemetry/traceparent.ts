import type { SpanContext } from './tracer.ts'

const FORMAT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses the W3C header `traceparent`; null: it is not valid. */
export function parseTraceparent(text: string | undefined | null): SpanContext | null {
  const [, traceId, spanId, flags, more] = FORMAT.exec(text ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  // Version 00 has exactly these four parts.
  if (more !== undefined && text!.startsWith('00')) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

export const formatTraceparent = ({ traceId, spanId, sampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
