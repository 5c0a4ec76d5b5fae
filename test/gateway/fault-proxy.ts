import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One call to the facilitator and the actions of a fault on it. */
export interface FacilitatorCall {
  body: any
  /** Forwards the call to the real facilitator. */
  forward: () => Promise<{ status: number; json: any }>
  reply: (status: number, body: string, headers?: Record<string, string>) => void
  /** Ends the connection without an answer. */
  cut: () => void
}

export type Fault = (call: FacilitatorCall) => Promise<void> | void

export interface FaultProxy {
  url: string
  /** Queues faults for the next calls of a path. Later calls pass. */
  plan: (path: 'verify' | 'settle', ...faults: Fault[]) => void
  /** Number of calls by path. */
  calls: Record<string, number>
  /** Removes all queued faults. */
  heal: () => void
  stop: () => Promise<void>
}

export const pass: Fault = async ({ forward, reply }) => {
  const { status, json } = await forward()
  reply(status, JSON.stringify(json))
}
const success = (call: FacilitatorCall, change: Record<string, unknown>) => ({
  success: true,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:8453',
  payer: call.body.paymentPayload.payload.authorization.from,
  ...change,
})

/** Faults that lose the answer of a settlement. `sent`: the real facilitator has settled. */
export const LOST: Record<string, (sent: boolean) => Fault> = {
  timeout:
    (sent) =>
    async ({ forward }) =>
      void (sent && (await forward())),
  'a cut connection':
    (sent) =>
    async ({ forward, cut }) => {
      if (sent) await forward()
      cut()
    },
  'status 500':
    (sent) =>
    async ({ forward, reply }) => {
      if (sent) await forward()
      reply(500, '{"error":"internal"}')
    },
  HTML:
    (sent) =>
    async ({ forward, reply }) => {
      if (sent) await forward()
      reply(200, '<html><body>502 Bad Gateway</body></html>', { 'content-type': 'text/html' })
    },
  'a huge body': (sent) => async (call) => {
    if (sent) await call.forward()
    call.reply(200, JSON.stringify(success(call, { extra: { x: 'x'.repeat(2_000_000) } })))
  },
  'a redirect': (sent) => async (call) => {
    if (sent) await call.forward()
    call.reply(307, '', { location: '/lie' })
  },
  'a pending settlement': (sent) => async (call) => {
    const { json } = sent ? await call.forward() : { json: {} }
    const transaction = json.transaction || `0x${'cd'.repeat(32)}`
    call.reply(
      200,
      JSON.stringify(success(call, { success: false, errorReason: 'settlement_pending', transaction })),
    )
  },
}

/** Answers a settlement with a false success that has the given changes. */
export const lie =
  (change: Record<string, unknown>): Fault =>
  (call) =>
    call.reply(200, JSON.stringify(success(call, change)))

/** Starts a proxy between gateway and facilitator. */
export async function startFaultProxy(target: () => string): Promise<FaultProxy> {
  const planned: Record<string, Fault[]> = { verify: [], settle: [] }
  const calls: Record<string, number> = { verify: 0, settle: 0, lie: 0 }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.slice(1)
    calls[path] = (calls[path] ?? 0) + 1
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const call: FacilitatorCall = {
      body: text ? JSON.parse(text) : null,
      forward: async () => {
        const init = text
          ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }
          : {}
        const answer = await fetch(`${target()}/${path}`, init)
        return { status: answer.status, json: await answer.json() }
      },
      reply: (status, body, headers = { 'content-type': 'application/json' }) =>
        void response.writeHead(status, headers).end(body),
      cut: () => void response.destroy(),
    }
    // A client that follows the redirect gets a success.
    if (path === 'lie') return lie({})(call)
    await (planned[path]?.shift() ?? pass)(call)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: (path, ...faults) => void planned[path]!.push(...faults),
    calls,
    heal: () => {
      for (const list of Object.values(planned)) list.length = 0
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
