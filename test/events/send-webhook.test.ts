import { afterAll, describe, expect, test } from 'vitest'
import { createWebhookSender } from '../../activities/events/send-webhook.ts'
import { type Answer, json, startFaultyServer } from '../sources/faulty-server.ts'

const receiver = await startFaultyServer()
const { host } = new URL(receiver.url)
const resolved: string[] = []
/** What names lead to. */
let addresses: string[] = []
const sender = createWebhookSender({
  allowed: new Set([host]),
  resolve: async (name) => {
    resolved.push(name)
    return addresses
  },
  deadlineMs: 500,
})
afterAll(() => sender.close())

const send = (url = `${receiver.url}/in`) =>
  sender.send({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"id":"evt_1"}' })

test('an event is a POST of JSON, and any 2xx delivers it', async () => {
  let got = ''
  receiver.play((request, response) => {
    request
      .on('data', (part: Buffer) => (got += part.toString()))
      .on('end', () => response.writeHead(204).end())
  })
  expect(await send()).toEqual({ status: 204, failure: null, retryAfterMs: null, ms: expect.any(Number) })
  expect(got).toBe('{"id":"evt_1"}')
  expect(receiver.requests[0]!.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'sluice',
    'webhook-id': 'evt_1',
  })
  expect(receiver.requests[0]!.headers).not.toHaveProperty('cookie')
})

describe('case 41 a receiver', () => {
  test.each([500, 410, 404, 304])('that answers %i has not received', async (status) => {
    receiver.play(json('', status))
    expect(await send()).toMatchObject({ status, failure: `status ${status}` })
  })
  test('may say with 429 how long to wait, and that is at most an hour', async () => {
    receiver.play(json({}, 429, { 'retry-after': '120' }), json({}, 503, { 'retry-after': '86400' }))
    expect(await send()).toMatchObject({ status: 429, retryAfterMs: 120_000 })
    expect(await send()).toMatchObject({ status: 503, retryAfterMs: 3_600_000 })
  })
  test('that redirects has not received, and nobody follows', async () => {
    receiver.play(json({}, 302, { location: `${receiver.url}/elsewhere` }))
    expect(await send()).toMatchObject({ status: 302, failure: 'status 302' })
    expect(receiver.requests).toHaveLength(1)
  })
  test('that is slow has until the deadline', async () => {
    receiver.play(() => {})
    expect(await send()).toMatchObject({ status: null, failure: 'no answer within 0.5 seconds' })
  })
  test('that closes the connection has not received', async () => {
    receiver.play((request) => request.socket.destroy())
    expect(await send()).toMatchObject({ status: null, failure: expect.stringMatching(/^no connection/) })
  })
  test('that sends headers without end has not received', async () => {
    receiver.play((_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(64_000) }).end())
    expect(await send()).toMatchObject({ status: null, failure: expect.stringContaining('HEADERS_OVERFLOW') })
  })
  test.each([{}, { 'content-length': String(2 ** 30) }])(
    'that answers with 1 GB is cut off after a few kB, and has received',
    async (headers) => {
      let wasCut: (bytes: number) => void
      const cut = new Promise<number>((resolve) => (wasCut = resolve))
      receiver.play(endless(headers, (bytes) => wasCut(bytes)))
      expect(await send()).toMatchObject({ status: 200, failure: null })
      // What the two sockets buffer may have left already.
      expect(await cut).toBeLessThan(16 * 2 ** 20)
    },
  )
  test('that never ends its answer does not hold the sender up', async () => {
    receiver.play((_request, response) => response.writeHead(200).write('{'), json({}))
    expect(await send()).toMatchObject({ status: 200, failure: null })
    expect(await send()).toMatchObject({ status: 200, failure: null })
  })
})

/** Writes until the other side ends the connection. */
function endless(headers: Record<string, string>, ended: (bytes: number) => void): Answer {
  return (_request, response) => {
    const chunk = Buffer.alloc(65_536)
    response.writeHead(200, headers)
    response.on('close', () => ended(response.socket?.bytesWritten ?? 0))
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', write)
    }
    response.on('error', () => {})
    write()
  }
}

describe('case 42 a name', () => {
  const { port } = new URL(receiver.url)
  const refused = { status: null, failure: expect.stringMatching(/leads to an address that is not public$/) }

  test.each([
    ['this machine', ['127.0.0.1']],
    ['this machine by IPv4-mapped IPv6', ['::ffff:127.0.0.1']],
    ['a private network beside a public address', ['93.184.215.14', '10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['0.0.0.0', ['0.0.0.0']],
  ])('that leads to %s is refused', async (_name, leadsTo) => {
    receiver.play(json({}))
    addresses = leadsTo
    expect(await send('https://hooks.example.com/in')).toMatchObject(refused)
    expect(receiver.requests).toHaveLength(0)
  })
  test('is resolved at each connection, so one that changes its address afterwards is refused', async () => {
    resolved.length = 0
    addresses = []
    expect(await send('https://rebinding.example.com')).toMatchObject({
      failure: 'rebinding.example.com has no address',
    })
    addresses = ['127.0.0.1']
    expect(await send('https://rebinding.example.com')).toMatchObject(refused)
    expect(resolved).toEqual(['rebinding.example.com', 'rebinding.example.com'])
  })
  test('of a host that is not open, and other ports of one that is, are refused before any look-up', async () => {
    resolved.length = 0
    for (const url of [`http://localhost:${port}`, 'http://127.0.0.1:5432', 'https://127.0.0.1'])
      expect(await send(url)).toMatchObject({ status: null, failure: expect.stringMatching(/not allowed/) })
    expect(resolved).toEqual([])
  })
})
