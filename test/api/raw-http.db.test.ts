import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { probeRoutes } from './probe-routes.ts'

const database = await testDatabase()
const api = await startApi({
  database,
  routes: [...routes, ...probeRoutes],
  overrides: { timeouts: { headersMs: 1_000, requestMs: 1_500 } },
})
const { key, accountId } = await api.newAccount()

interface Reply {
  status: number
  headers: string
  body: Record<string, unknown>
}

/** Sends raw bytes and reads the replies until the server closes the connection. */
async function send(bytes: string | Buffer, options: { end?: boolean } = {}): Promise<Reply[]> {
  const socket = net.connect(api.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.write(bytes)
  if (options.end) socket.end()
  await Promise.race([closed, setTimeout(5_000)])
  socket.destroy()
  return split(Buffer.concat(chunks).toString())
}

function split(text: string): Reply[] {
  const replies: Reply[] = []
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n')
    const headers = rest.slice(0, end)
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    replies.push({ status: Number(headers.split(' ')[1]), headers, body: body ? JSON.parse(body) : {} })
    rest = rest.slice(end + 4 + length)
  }
  return replies
}

async function expectOnly(replies: Promise<Reply[]>, statusCode: number, message: string, path = '') {
  const [reply, ...more] = await replies
  expect(more).toEqual([])
  expect(reply).toMatchObject({
    status: statusCode,
    body: { statusCode, message, path, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  })
  expect(reply!.headers).toMatch(/content-type: application\/json; charset=utf-8/i)
}

const get = (target: string, extra = '', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\nHost: x\r\nX-API-KEY: ${key}\r\nConnection: close\r\n${extra}\r\n`

describe('invalid HTTP is 400', () => {
  test.each([
    ['a bad request line', 'NONSENSE\r\n\r\n'],
    ['an unknown method', get('/v1/probe').replace('GET', 'FETCH')],
    ['HTTP/9.9', get('/v1/probe', '', 'HTTP/9.9')],
    ['NUL in a header', get('/v1/probe', 'X-A: a\0b\r\n')],
    ['a header without a name', get('/v1/probe', ': x\r\n')],
    [
      'length and chunks',
      get('/v1/probe', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n') + '0\r\n\r\n',
    ],
    ['two lengths', get('/v1/probe', 'Content-Length: 5\r\nContent-Length: 6\r\n')],
    ['a negative length', get('/v1/probe', 'Content-Length: -1\r\n')],
    ['TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ])('%s is refused', (_name, bytes) => expectOnly(send(bytes), 400, 'Bad Request'))

  test('HTTP/0.9 is refused', () =>
    expectOnly(send('GET /v1/probe\r\n\r\n'), 400, 'Bad Request', '/v1/probe'))
  test('a missing Host header', () =>
    expectOnly(
      send(`GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n`),
      400,
      'Bad Request',
      '/v1/status',
    ))
  test('two Host headers', () =>
    expectOnly(send(get('/v1/probe', 'Host: y\r\n')), 400, 'Bad Request', '/v1/probe'))
  test('a body on GET', () =>
    expectOnly(send(get('/v1/probe', 'Content-Length: 2\r\n') + '{}'), 400, 'Bad Request', '/v1/probe'))
})

describe('size and time limits', () => {
  test('20 KB of headers are 431', () =>
    expectOnly(
      send(get('/v1/probe', `X-A: ${'a'.repeat(20_000)}\r\n`)),
      431,
      'Request Header Fields Too Large',
    ))
  test('a URL of 20 KB is 431', () =>
    expectOnly(send(get(`/v1/probe?a=${'a'.repeat(20_000)}`)), 431, 'Request Header Fields Too Large'))
  test('200 headers are accepted', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `X-${i}: a\r\n`).join('')
    expect((await send(get('/v1/probe', many)))[0]!.status).toBe(200)
  })
  test('slow headers are 408', () =>
    expectOnly(send('GET /v1/probe HTTP/1.1\r\nHost: x\r\n'), 408, 'Request Timeout'))
  test('a slow body is 408', async () => {
    const head = `PATCH /v1/probe HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`
    const replies = await send(`${head}{"items"`)
    expect(replies).toMatchObject([{ status: 408, body: { statusCode: 408, message: 'Request Timeout' } }])
  })
})

describe('unusual but valid HTTP', () => {
  test('the absolute form of a request line is accepted', async () => {
    expect((await send(get('http://x/v1/probe')))[0]!.status).toBe(200)
    expect((await send(get('http://x/v1/probe?page=0')))[0]!.status).toBe(400)
  })
  test('HTTP/1.0 without Host is accepted', async () =>
    expect((await send('GET /v1/status HTTP/1.0\r\n\r\n'))[0]!.status).toBe(200))
  test('pipelined requests are answered in order, each with its own charge', async () => {
    const first = get('/v1/probe?page=1').replace('Connection: close\r\n', '')
    const replies = await send(first + first.replace('page=1', 'page=2') + get('/v1/probe?page=3'))
    expect(replies.map(({ status, body }) => [status, body.page])).toEqual([
      [200, 1],
      [200, 2],
      [200, 3],
    ])
  })
  test('TRACE is 405', () =>
    expectOnly(send(get('/v1/probe').replace('GET', 'TRACE')), 405, 'Method Not Allowed', '/v1/probe'))
  test('CONNECT is 405', () =>
    expectOnly(
      send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'),
      405,
      'Method Not Allowed',
    ))
  test('an upgrade request is answered as a normal request', async () =>
    expect((await send(get('/v1/probe', 'Upgrade: websocket\r\n')))[0]!.status).toBe(200))
})

test('raw bytes of a path are escaped in the answer', async () => {
  const replies = await send(
    Buffer.concat([
      Buffer.from('GET /v1/probe/items/'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(` HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nConnection: close\r\n\r\n`),
    ]),
  )
  expect([400, 404]).toContain(replies[0]!.status)
})

test('a client that closes early costs nothing', async () => {
  const charged = () =>
    query(database.ownerUrl, 'select from ledger_entries where account_id = $1', [accountId])
  const before = await charged()
  const socket = net.connect(api.port, '127.0.0.1')
  socket.write(get('/v1/probe/slow'))
  await setTimeout(50)
  socket.resetAndDestroy()
  await setTimeout(500)
  expect(await charged()).toHaveLength(before.length)
})

test('the server still works after all of this', async () =>
  expect((await api.get('/probe', key)).status).toBe(200))
