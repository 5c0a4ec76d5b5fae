import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'

/** Where a span stands in its trace. */
export interface SpanContext {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** False: whoever began the trace does not want it recorded. */
  sampled: boolean
}

/** A span that has ended. Times in milliseconds since 1970, with fractions. */
export interface FinishedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  startMs: number
  endMs: number
  attributes: Readonly<Record<string, string | number>>
  /** What it failed with, as a class of error; null: it did not. */
  failure: string | null
}

/** A span that runs. It ends once; what comes after is ignored. */
export interface Span {
  context: SpanContext
  end: (result?: { attributes?: FinishedSpan['attributes']; error?: unknown }) => void
}

interface SpanOptions {
  /** One of few: parameters stand in no name. */
  name: string
  kind: FinishedSpan['kind']
  /** Nothing that is secret, nor what somebody else wrote. */
  attributes?: FinishedSpan['attributes']
  /** Absent: the span that is current; null: it begins a trace. */
  parent?: SpanContext | null
  /** Of a trace that it begins; absent: any. */
  traceId?: string
}

export interface Tracer {
  start: (options: SpanOptions) => Span
  /** Runs `work` with a span of its own as the current one. */
  run: <T>(options: SpanOptions, work: () => Promise<T>) => Promise<T>
  /** Runs `work` with the span as the current one; undefined: without any. */
  within: <T>(context: SpanContext | undefined, work: () => T) => T
  current: () => SpanContext | undefined
}

/** Taken from a pool: a call for the few bytes of each id would be most of what a span costs. */
const pool = Buffer.alloc(4_096)
let used = pool.length

function random(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}

/** Makes spans of one process. The current one follows promises and callbacks. */
export function createTracer(exporter: { add: (span: FinishedSpan) => void }): Tracer {
  const storage = new AsyncLocalStorage<SpanContext | undefined>()

  function start({ name, kind, attributes = {}, parent: given, traceId }: SpanOptions): Span {
    const parent = given === undefined ? storage.getStore() : given
    const context: SpanContext = {
      traceId: parent?.traceId ?? traceId ?? random(16),
      spanId: random(8),
      sampled: parent?.sampled ?? true,
    }
    const startMs = performance.now()
    let isOver = !context.sampled
    return {
      context,
      end({ attributes: more, error } = {}) {
        if (isOver) return
        isOver = true
        const endMs = performance.now()
        // The wall clock of now: that of the start of the process would drift.
        const offsetMs = Date.now() - endMs
        exporter.add({
          traceId: context.traceId,
          spanId: context.spanId,
          parentSpanId: parent?.spanId ?? null,
          name,
          kind,
          startMs: startMs + offsetMs,
          endMs: endMs + offsetMs,
          attributes: { ...attributes, ...more },
          failure: error === undefined ? null : errorType(error),
        })
      },
    }
  }

  return {
    start,
    async run(options, work) {
      const span = start(options)
      try {
        const result = await storage.run(span.context, work)
        span.end()
        return result
      } catch (error) {
        span.end({ error })
        throw error
      }
    },
    within: (context, work) => storage.run(context, work),
    current: () => storage.getStore(),
  }
}

/** A code or a class. Messages may repeat what somebody sent. */
function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'Error'
}
