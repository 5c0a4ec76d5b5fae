import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { encodeSpans } from './otlp.ts'
import type { FinishedSpan } from './tracer.ts'

export interface SpanExporter {
  add: (span: FinishedSpan) => void
  /** Sends the waiting spans; later spans are not sent. */
  close: () => Promise<void>
}

interface ExporterOptions {
  service: string
  url: string
  headers: Record<string, string>
  logger: Pick<Logger, 'warn'>
}

const EVERY_MS = 1_000
const BATCH = 512
/** Spans that wait while the collector is slow or down; further spans are dropped. */
const MAX_WAITING = 4_096
const DEADLINE_MS = 5_000
const WARN_EVERY_MS = 60_000

/**
 * Sends spans to an OTLP collector over HTTP, as JSON, every second. If the collector is down, only spans are
 * lost, and one line a minute logs how many.
 */
export function createSpanExporter({ service, url, headers, logger }: ExporterOptions): SpanExporter {
  let waiting: FinishedSpan[] = []
  let lost = 0
  let saidMs = -Infinity
  const ended = new AbortController()

  async function send(spans: readonly FinishedSpan[]): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: encodeSpans(service, spans),
        signal: AbortSignal.timeout(DEADLINE_MS),
        redirect: 'error',
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`status ${response.status}`)
    } catch (error) {
      lost += spans.length
      if (performance.now() - saidMs < WARN_EVERY_MS) return
      saidMs = performance.now()
      logger.warn(
        { lost, reason: (error as Error).message },
        'spans were lost: the collector does not accept them',
      )
      lost = 0
    }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) await send(waiting.splice(0, BATCH))
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {})
      await sendAll()
    }
  }

  const running = run()
  return {
    add: (span) => {
      if (waiting.length < MAX_WAITING) waiting.push(span)
      else lost++
    },
    close: async () => {
      ended.abort()
      await running
    },
  }
}
