import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// What the doubles of upstreams share: a clock that only tests move, repeatable chance, and a server on loopback.

export interface FakeClock {
  /** Unix milliseconds */
  now: () => number
  advance: (ms: number) => void
  /** Resolves when the clock has moved this far: a vendor that holds an answer back. */
  wait: (ms: number) => Promise<void>
}

const START_MS = Date.UTC(2026, 10, 2, 9)

export function createClock(startMs = START_MS): FakeClock {
  let nowMs = startMs
  let waiting: { at: number; wake: () => void }[] = []
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms
      const due = waiting.filter(({ at }) => at <= nowMs)
      waiting = waiting.filter(({ at }) => at > nowMs)
      for (const { wake } of due) wake()
    },
    wait: (ms) =>
      ms <= 0
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ at: nowMs + ms, wake: () => resolve() })),
  }
}

/** Returns 0 to 1, the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items]
  const order: T[] = []
  while (left.length > 0) order.push(...left.splice(Math.floor(random() * left.length), 1))
  return order
}

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
  /** of the client */
  address: string
}

/** `body`: text and bytes are sent as they are, anything else as JSON. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

export interface DoubleServer {
  /** without a path */
  url: string
  /** every request, in order, unless there are too many to keep */
  asked: Asked[]
  /** Set `kind` to make it refuse every request, or cut every connection. */
  outage: { kind: 'refuses' | 'cuts' | null }
  stop: () => Promise<void>
}

function during(
  { kind }: DoubleServer['outage'],
  answer: () => Reply | null | Promise<Reply | null>,
): Reply | null | Promise<Reply | null> {
  if (kind === 'cuts') return null
  return kind === 'refuses' ? { status: 429, body: '{"error":"too many requests"}' } : answer()
}

/** Serves one double on a free port of loopback. A reply of null: the connection is cut. */
export async function startDouble(
  answer: (asked: Asked) => Reply | null | Promise<Reply | null>,
  { keepsAsked = true }: { keepsAsked?: boolean } = {},
): Promise<DoubleServer> {
  const all: Asked[] = []
  const outage: DoubleServer['outage'] = { kind: null }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const url = new URL(request.url ?? '/', 'http://double')
    const asked: Asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
      address: request.socket.remoteAddress ?? '',
    }
    if (keepsAsked) all.push(asked)
    const reply = await during(outage, () => answer(asked))
    if (reply === null) {
      request.socket.destroy()
      return
    }
    const { status = 200, headers = {}, body } = reply
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    // A mistake in a double must be seen, and must not look like a refusal of the vendor.
    serve(request, response).catch((error: unknown) => {
      console.error('a double of an upstream failed', error)
      request.socket.destroy()
    })
  })
  // Clients close idle connections. If both sides did, a late one could send into a closed connection.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: all,
    outage,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
