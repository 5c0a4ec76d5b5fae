import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nameInstallation } from '../settings/installation-header.ts'

/** Resolves once the part can be used; rejects with what is wrong. */
export type ReadinessCheck = () => Promise<unknown>

export interface OperatorServerOptions {
  host: string
  port: number
  /** Named in the answers; null: nobody asks. */
  installation: string | null
  /** By the name of the part. */
  checks: Readonly<Record<string, ReadinessCheck>>
  /** In Prometheus' text format; is told which of the parts cannot be used. */
  metrics: (notReady: readonly string[], parts: readonly string[]) => Promise<string>
  /** How long `drain` waits. */
  drainMs: number
}

export interface OperatorServer {
  /** Where it listens. */
  port: number
  /** From now on the process is not ready; resolves once whoever balances load has had time to see that. */
  drain: () => Promise<void>
  close: () => Promise<void>
}

const CHECK_DEADLINE_MS = 1_500
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const METRICS_HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }

/**
 * What an operator asks of one process, on a port of its own: `/healthz` (it is alive), `/readyz` (it can do its work
 * now; 503 with what cannot be used), `/metrics`.
 */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { host, port, installation, checks, metrics, drainMs } = options
  let isDraining = false

  /** What cannot be used now, and why. */
  async function notReady(): Promise<{ part: string; reason: string }[]> {
    if (isDraining) return [{ part: 'process', reason: 'it shuts down' }]
    const reasons = await Promise.all(
      Object.entries(checks).map(async ([part, check]) => ({ part, reason: await reasonOf(check) })),
    )
    return reasons.filter((one): one is { part: string; reason: string } => one.reason !== null)
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

/** Null: the check passes, in time. */
async function reasonOf(check: ReadinessCheck): Promise<string | null> {
  const late = sleep(CHECK_DEADLINE_MS, 'no answer in time', { ref: false })
  try {
    return await Promise.race([check().then(() => null), late])
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    return message || String(code)
  }
}
