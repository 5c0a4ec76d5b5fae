import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface WireAttribute {
  key: string
  value: { stringValue?: string; intValue?: string }
}

interface WireSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: WireAttribute[]
  status?: { code: number }
}

interface WireRequest {
  resourceSpans: { resource: { attributes: WireAttribute[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

export interface ReceivedSpan extends Omit<WireSpan, 'attributes'> {
  service: string
  attributes: Record<string, string>
}

const toRecord = (attributes: WireAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))

/** Starts an OTLP/HTTP collector that keeps the received spans. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  let text = ''
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      text += body
      for (const { resource, scopeSpans } of (JSON.parse(body) as WireRequest).resourceSpans)
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            ...span,
            service: toRecord(resource.attributes)['service.name'] ?? '',
            attributes: toRecord(span.attributes),
          })
      response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /**
   * Returns the spans of a trace once the awaited ones have arrived, because each process sends its spans at
   * its own time.
   */
  async function trace(
    traceId: string,
    ...awaited: ((span: ReceivedSpan) => boolean)[]
  ): Promise<ReceivedSpan[]> {
    for (let tries = 0; tries < 300; tries++) {
      const found = spans.filter((span) => span.traceId === traceId)
      if (awaited.every((is) => found.some(is))) return found
      await sleep(50)
    }
    const names = spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
    throw new Error(`no such span in the trace: ${names.join(', ') || 'it is empty'}`)
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trace,
    /** Everything that was received, as text. */
    text: () => text,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
