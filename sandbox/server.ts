import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultProblem, lying, type Fault, type Faults } from './faults.ts'
import type { Upstream, UpstreamReply } from './upstream.ts'

export type Mount = { base: string; upstream: Upstream }

function send(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}

const cloudflarePage =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Error 1015</body></html>'
/** Sources that report a rate limit with status 200. */
const limitBodies: Record<string, unknown> = {
  etherscan: {
    status: '0',
    message: 'NOTOK',
    result: 'Max rate limit reached, please use API Key for higher rate limit',
  },
  goplus: { code: 4029, message: 'Request limit reached', result: null },
}
const historyLimit = {
  error: {
    status: {
      error_code: 10012,
      error_message:
        'Your request exceeds the allowed time range. Public API users are limited to querying historical data within the past 365 days.',
    },
  },
}

/** Sends a reply spoiled by a fault. Rate limits look different per source. */
async function sendFaulty(response: ServerResponse, fault: Fault, reply: UpstreamReply): Promise<void> {
  const text = textOf(reply)
  if (fault.kind === 'slow') await sleep(fault.delayMs ?? 5000)
  if (fault.kind === 'error') return send(response, 500, '{"error":"Internal Server Error"}')
  if (fault.kind === 'malformed') return send(response, 200, cloudflarePage, { 'content-type': 'text/html' })
  if (fault.kind === 'truncate') return send(response, 200, text.slice(0, Math.floor(text.length / 2)))
  if (fault.kind === 'history_limit') return send(response, 401, JSON.stringify(historyLimit))
  if (fault.kind === 'lie') return send(response, reply.status, JSON.stringify(lying(reply.body, fault.lie!)))
  if (fault.kind === 'rate_limit' && fault.source in limitBodies)
    return send(response, 200, JSON.stringify(limitBodies[fault.source]))
  if (fault.kind === 'rate_limit') {
    const message = "You've exceeded the Rate Limit. Please visit the pricing page."
    const body = JSON.stringify({ status: { error_code: 429, error_message: message } })
    return send(response, 429, body, { 'retry-after': '1' })
  }
  send(response, reply.status, text, reply.headers)
}

function textOf({ body }: UpstreamReply): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}

async function bodyTextOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function headersOf(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}

async function controlFaults(
  request: IncomingMessage,
  response: ServerResponse,
  faults: Faults,
): Promise<void> {
  if (request.method === 'DELETE') faults.clear()
  if (request.method === 'POST') {
    const fault = parsed(await bodyTextOf(request))
    const problem = faultProblem(fault)
    if (problem) return send(response, 400, JSON.stringify({ error: problem }))
    faults.add(fault as Fault)
  }
  send(response, 200, JSON.stringify(faults.list()))
}

/**
 * The simulator's HTTP server: each upstream below its base, GET /health, and /faults (POST adds, GET lists,
 * DELETE clears). `nowMs` is the clock.
 */
export function createSandboxServer(options: {
  mounts: Mount[]
  faults: Faults
  nowMs: () => number
}): Server {
  const { faults, nowMs } = options
  // A base may be a prefix of another, so the longest comes first.
  const mounts = options.mounts.toSorted((a, b) => b.base.length - a.base.length)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    if (url.pathname === '/health') return send(response, 200, '{"status":"ok"}')
    if (url.pathname === '/faults') return controlFaults(request, response, faults)
    const mount = mounts.find(({ base }) => url.pathname === base || url.pathname.startsWith(`${base}/`))
    if (!mount) return send(response, 404, '{"error":"no such upstream in the sandbox"}')
    const path = url.pathname
      .slice(mount.base.length + 1)
      .split('/')
      .filter(Boolean)
      .map(decodeURIComponent)
    const reply = await mount.upstream({
      method: request.method ?? 'GET',
      path,
      target: request.url ?? '/',
      query: url.searchParams,
      headers: headersOf(request),
      bodyText: await bodyTextOf(request),
      now: nowMs() / 1000,
    })
    const fault = faults.take(mount.base.split('/')[1]!, request.url ?? '')
    if (fault) await sendFaulty(response, fault, reply)
    else send(response, reply.status, textOf(reply), reply.headers)
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(`sandbox: ${request.url}: ${error instanceof Error ? error.message : String(error)}`)
      if (!response.headersSent) send(response, 502, '{"error":"the sandbox failed; see its output"}')
    })
  })
}
