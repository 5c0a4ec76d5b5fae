import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'

/** Identifies a span within its trace. */
export interface SpanContext {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** false: the caller that began the trace does not want it recorded. */
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
  /** Code or class of the error; null: the span did not fail. */
  failure: string | null
}

/** A running span. Only the first `end` counts. */
export interface Span {
  context: SpanContext
  end: (result?: { attributes?: FinishedSpan['attributes']; error?: unknown }) => void
}

interface SpanOptions {
  /** One of a few names; it must not contain parameters. */
  name: string
  kind: FinishedSpan['kind']
  /** Must contain no secrets and no text of clients or upstreams. */
  attributes?: FinishedSpan['attributes']
  /** Absent: the current span; null: the span begins a trace. */
  parent?: SpanContext | null
  /** Id of the trace that the span begins; absent: random. */
  traceId?: string
}

export interface Tracer {
  start: (options: SpanOptions) => Span
  /** Runs `work` with a new span as the current one. */
  run: <T>(options: SpanOptions, work: () => Promise<T>) => Promise<T>
  /** Runs `work` with the span as the current one; undefined: without a span. */
  within: <T>(context: SpanContext | undefined, work: () => T) => T
  current: () => SpanContext | undefined
}

/**
 * Random bytes for ids come from a pool, because a system call per id would be most of the cost of a span.
 */
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

/** Creates the spans of one process. The current span follows promises and callbacks. */
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
        // Uses the current wall clock, because an offset from the start of the process would drift.
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

/** Returns the code or class of an error, not its message, which may repeat what a client sent. */
function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'Error'
}
