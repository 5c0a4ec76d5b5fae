import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { routes } from '../../api/routes.ts'
import {
  createSluiceClient,
  type SluiceEvent,
  SluiceError,
  streamEvents,
  verifyEvent,
} from '../../clients/typescript/index.ts'
import { sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { networkId, tellWallet } from '../events/watched-wallet.ts'
import { sealingKey, webhookWorld } from '../events/webhook-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'

// What a consumer does with the TypeScript client alone: an endpoint and a stream of one wallet.

const AT = new Date('2026-03-10T10:00:00Z')
const stop = new AbortController()
let secret = ''
const posted: SluiceEvent[] = []
const refused: string[] = []
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  try {
    posted.push(await verifyEvent({ body, headers: request.headers, secret }))
    response.writeHead(204).end()
  } catch (error) {
    refused.push((error as Error).message)
    response.writeHead(400).end()
  }
}
const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const receiver = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }

const database = await testDatabase()
const world = await webhookWorld(database, receiver)
const { pool } = world.deps
const webhooks = { sealKey: sealingPublicKey(sealingKey), allowed: new Set([new URL(receiver.url).host]) }
const api = await startApi({ database, routes, overrides: { webhooks } })
const url = `http://127.0.0.1:${api.port}/v1`
const wallet = await tellWallet(pool, { address: address(1), now: () => AT })
await wallet.derive([{ number: 1, ether: 1n }])
await wallet.complete()

beforeAll(async () => {
  await activateNetworks(api.owner, [networkId])
  await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', rank: 2, priceUsd: '2000', at: AT })
})
afterAll(() => {
  stop.abort()
  server.close()
  server.closeAllConnections()
})

async function send(): Promise<void> {
  while ((await publishBatch({ pool })).isMore) continue
  await world.deliver()
}

test('the same transactions come once by webhook and once by stream, also when the connection breaks', async () => {
  const { key } = await api.newAccount({ plan: 'pro' })
  const sluice = createSluiceClient({ url, key })
  const { data: endpoint } = await sluice.POST('/webhooks', {
    body: {
      url: `${receiver.url}/in`,
      types: ['wallet.transaction'],
      wallets: [{ address: address(1), connectionId: networkId }],
    },
  })
  secret = endpoint.secret!
  await send()
  expect(posted).toMatchObject([{ type: 'test.ping', data: { endpointId: endpoint.id } }])

  const streamed: SluiceEvent<'wallet.transaction'>[] = []
  const events = streamEvents({
    url,
    key,
    types: ['wallet.transaction'],
    addresses: [address(1)],
    signal: stop.signal,
  })
  const reading = (async () => {
    for await (const event of events) streamed.push(event)
  })()
  let block = 1
  const pay = async () => {
    await wallet.derive([{ number: ++block, ether: 1n }])
    world.pass(1_000)
    await send()
  }
  // The stream begins with what happens once it is open.
  await expect
    .poll(async () => {
      await pay()
      return streamed.length
    })
    .toBeGreaterThan(0)
  api.app.server.closeAllConnections()
  await pay()
  await pay()
  await expect.poll(() => streamed.at(-1)?.data.blockNumber).toBe(block)
  const ids = (all: readonly SluiceEvent[]) => all.map(({ id }) => id)
  expect(new Set(ids(streamed)).size).toBe(streamed.length)
  expect(ids(posted).slice(-streamed.length)).toEqual(ids(streamed))
  expectTypeOf(streamed[0]!.data.blockNumber).toBeNumber()

  // After a restart of the program.
  const [, second] = streamed
  for await (const { seq } of streamEvents({ url, key, addresses: [address(1)], after: streamed[0]!.seq })) {
    expect(seq).toBe(second!.seq)
    break
  }
  stop.abort()
  await reading
  expect(refused).toEqual([])
})

test('a stream that waiting does not help throws, and a forged request is refused', async () => {
  const { key } = await api.newAccount()
  const first = async (options: Partial<Parameters<typeof streamEvents>[0]>) =>
    streamEvents({ url, key, ...options })
      .next()
      .catch((error: unknown) => error)
  for (const [options, kind] of [
    [{ key: 'sl_wrong' }, 'unauthorized'],
    [{ types: ['nothing' as 'test.ping'] }, 'invalid'],
    [{ addresses: ['nowhere'] }, 'invalid'],
  ] as const) {
    const error = await first(options)
    expect([options, error]).toEqual([options, expect.any(SluiceError)])
    expect((error as SluiceError).kind).toBe(kind)
  }
  await expect(streamEvents({ url: 'nowhere', key }).next()).rejects.toThrow('Invalid URL')
  const forged = await fetch(receiver.url, { method: 'POST', body: '{"type":"wallet.transaction"}' })
  expect([forged.status, refused]).toEqual([400, ['The header webhook-id is missing']])
})

test('a service that is away for a while, or asks to wait, is asked again, and aborting ends the wait', async () => {
  // JavaScript takes U+2028 for an end of line, JSON does not.
  const event = { id: 'evt_1', type: 'test.ping', seq: '7', data: { endpointId: 'x\u2028y' } }
  const asked: (string | null)[] = []
  const answers = [
    () => new Response('{"message":"Rate limit exceeded"}', { status: 429, headers: { 'retry-after': '0' } }),
    () =>
      new Response(`retry: 3000\n\nid: 7\nevent: test.ping\ndata: ${JSON.stringify(event)}\n\n: alive\n\n`),
  ]
  const leave = new AbortController()
  const got: unknown[] = []
  const send: typeof fetch = async (_to, init) => {
    asked.push(new Headers(init?.headers).get('last-event-id'))
    return (answers.shift() ?? (() => Promise.reject(new TypeError('fetch failed'))))()
  }
  for await (const one of streamEvents({ url, key: 'k', after: '6', fetch: send, signal: leave.signal })) {
    got.push(one)
    setTimeout(() => leave.abort(), 50)
  }
  expect([got, asked]).toEqual([[event], ['6', '6']])
})
