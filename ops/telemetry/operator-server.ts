import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nameInstallation } from '../settings/installation-header.ts'
import { type ReadinessCheck, unusableParts } from './readiness.ts'

export interface OperatorServerOptions {
  host: string
  port: number
  /** Id of the installation in the answers; null: not sent. */
  installation: string | null
  /** Checks by the name of the part. */
  checks: Readonly<Record<string, ReadinessCheck>>
  /** Returns metrics in Prometheus' text format. `notReady`: the parts that are not usable. */
  metrics: (notReady: readonly string[], parts: readonly string[]) => Promise<string>
  /** Duration of `drain`. */
  drainMs: number
}

export interface OperatorServer {
  /** Port that it listens on. */
  port: number
  /** Marks the process as not ready; resolves after load balancers have had time to notice. */
  drain: () => Promise<void>
  close: () => Promise<void>
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const METRICS_HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }

/**
 * Serves operators on a separate port: `/healthz` (the process is alive), `/readyz` (it can work; otherwise
 * 503 with the unusable parts) and `/metrics`.
 */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { host, port, installation, checks, metrics, drainMs } = options
  let isDraining = false

  /** Returns the parts that are not usable, with reasons. */
  async function notReady(): Promise<{ part: string; reason: string }[]> {
    if (isDraining) return [{ part: 'process', reason: 'it shuts down' }]
    return unusableParts(checks)
  }

  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/healthz': async (response) => {
      response.writeHead(200, JSON_HEADERS).end('{"alive":true}')
    },
    '/readyz': async (response) => {
      const missing = await notReady()
      const body = JSON.stringify({ ready: missing.length === 0, notReady: missing })
      response.writeHead(missing.length === 0 ? 200 : 503, JSON_HEADERS).end(body)
    },
    '/metrics': async (response) => {
      const missing = (await notReady()).map(({ part }) => part)
      const text = await metrics(missing, ['process', ...Object.keys(checks)])
      response.writeHead(200, METRICS_HEADERS).end(text)
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = request.method === 'GET' ? pages[request.url?.split('?', 1)[0] ?? ''] : undefined
    try {
      if (page) await page(response)
      else response.writeHead(404, JSON_HEADERS).end('{}')
    } catch {
      if (!response.headersSent) response.writeHead(500, JSON_HEADERS)
      response.end()
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  nameInstallation(server, installation)
  server.listen({ host, port })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    drain: async () => {
      isDraining = true
      await sleep(drainMs)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
