import { connect as connectSocket } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { readerOf, startEventsWorld } from './events-world.ts'

const database = await testDatabase()
const world = await startEventsWorld(database)
const { api, happen, ping, connect } = world
afterAll(world.close)
const [mine, named] = [await world.newWallet(address(1)), await world.newWallet(address(2))]

interface Account {
  accountId: string
  key: string
}
let me: Account
let opened: AbortController[] = []

beforeEach(async () => {
  await query(
    database.ownerUrl,
    'truncate event_sources, event_subscriptions, account_events, portfolios, dropped_events cascade',
  )
  me = await api.newAccount({ plan: 'enterprise' })
  await connect(me.accountId, mine.address)
})
afterEach(() => {
  for (const one of opened) one.abort()
  opened = []
})

async function open(search = '', init: RequestInit = {}, key: string | undefined = me.key) {
  const abort = new AbortController()
  opened.push(abort)
  const response = await api.get(`/events/stream${search}`, key, { ...init, signal: abort.signal })
  return { response, abort, ...readerOf(response) }
}
const amounts = async (
  stream: { next: () => Promise<{ data: { data: { amount?: string } } } | null> },
  n: number,
) => {
  const found: (string | undefined)[] = []
  while (found.length < n) found.push((await stream.next())!.data.data.amount)
  return found
}

test('sends events as they happen, with number, type and envelope, for 3 credits', async () => {
  const stream = await open()
  expect(stream.response.status).toBe(200)
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Pages of others open streams with a ticket.
    'access-control-allow-origin': '*',
    'x-credits-cost': '3',
  })
  const [retry, id] = (await stream.block())!.split('\n')
  expect([retry, id]).toEqual(['retry: 3000', expect.stringMatching(/^id: \d+$/)])
  await happen(mine.walletId)
  const event = (await stream.next())!
  expect(event).toMatchObject({ type: 'wallet.balance', data: { seq: event.id, type: 'wallet.balance' } })
  const spent = await query<{ credits: string }>(
    database.ownerUrl,
    `select sum(credits) as credits from ledger_entries where account_id = '${me.accountId}'`,
  )
  expect(spent).toEqual([{ credits: '4' }])
})

test('begins with what happens from now on; each account gets its own events only', async () => {
  const other = await api.newAccount()
  await connect(other.accountId, mine.address)
  await open().then((stream) => stream.cancel())
  await happen(mine.walletId)
  const [one, two] = [await open(), await open('', {}, other.key)]
  await ping(other.accountId)
  await happen(mine.walletId)
  expect(await amounts(one, 1)).toEqual([world.newest()])
  expect((await two.next())!.type).toBe('test.ping')
  expect(await amounts(two, 1)).toEqual([world.newest()])
})

test('resumes after Last-Event-ID without a gap or a repeat, also while events are published', async () => {
  const first = await open()
  await happen(mine.walletId)
  const { id } = (await first.next())!
  await first.cancel()
  await happen(mine.walletId, { times: 90 })
  const publishing = happen(mine.walletId, { times: 30 })
  const stream = await open('?after=0', { headers: { 'last-event-id': id } })
  await publishing
  await happen(mine.walletId, { times: 5 })
  const found = await amounts(stream, 125)
  const last = Number(world.newest())
  expect(found.map(Number)).toEqual(Array.from({ length: 125 }, (_, i) => last - 124 + i))
})

test('names the number after which it begins at once, so that a break before the first event loses nothing', async () => {
  await happen(mine.walletId)
  const first = await open()
  const after = /^id: (\d+)$/m.exec((await first.block())!)![1]!
  await first.cancel()
  await happen(mine.walletId, { times: 2 })
  const stream = await open('', { headers: { 'last-event-id': after } })
  expect(await stream.block()).toBe(`retry: 3000\nid: ${after}`)
  const last = Number(world.newest())
  expect(await amounts(stream, 2)).toEqual([String(last - 1), String(last)])
})

test('a late joiner and an early one get the same events', async () => {
  const early = await open()
  await happen(mine.walletId, { times: 3 })
  const ids = async (stream: typeof early, n: number) => {
    const found: string[] = []
    while (found.length < n) found.push((await stream.next())!.id)
    return found
  }
  const [first, ...rest] = await ids(early, 3)
  const late = await open(`?after=${first}`)
  await happen(mine.walletId, { times: 3 })
  expect(await ids(late, 5)).toEqual([...rest, ...(await ids(early, 3))])
})

test('named wallets are watched besides those of portfolios, and only their events are sent', async () => {
  const stream = await open(`?addresses=${named.address}&types=wallet.balance`)
  await happen(mine.walletId)
  await happen(named.walletId)
  expect((await stream.next())!.data.data.address).toBe(named.address)
  const watched = await query(database.ownerUrl, 'select wallet_id, types from event_subscriptions')
  expect(watched).toEqual([{ wallet_id: named.walletId, types: ['wallet.balance'] }])
})

test('a plan has so many streams at a time', async () => {
  const free = await api.newAccount({ plan: 'free' })
  const first = await open('', {}, free.key)
  const second = await open('', {}, free.key)
  expect(second.response.status).toBe(429)
  expect(second.response.headers.get('retry-after')).toBe('5')
  first.abort.abort()
  await expect.poll(async () => (await open('', {}, free.key)).response.status).toBe(200)
})

test('a plan has so many wallets', async () => {
  const free = await api.newAccount({ plan: 'free' })
  const many = Array.from({ length: 100 }, (_, n) => address(100 + n)).join()
  expect((await open(`?addresses=${many}`, {}, free.key)).response.status).toBe(200)
  opened.at(-1)!.abort()
  await expect
    .poll(async () => (await open(`?addresses=${address(999)}`, {}, free.key)).response.status)
    .toBe(403)
})

test('case 46 410 where events are gone, 400 for numbers that nobody was given', async () => {
  await query(database.ownerUrl, `insert into dropped_events values ('${me.accountId}', 3)`)
  await ping(me.accountId)
  const old = await open('', { headers: { 'last-event-id': '2' } })
  expect(old.response.status).toBe(410)
  expect(old.response.headers.get('x-oldest-event')).toMatch(/^\d+$/)
  expect((await open('', { headers: { 'last-event-id': '999999999' } })).response.status).toBe(400)
  expect((await open('', { headers: { 'last-event-id': 'x' } })).response.status).toBe(400)
})

test('case 47 a reader that takes nothing is cut off, others are not, and it resumes where it was', async () => {
  const fast = await open()
  const socket = connectSocket({ port: api.port, host: '127.0.0.1' })
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nhost: x\r\nx-api-key: ${me.key}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  // What the kernel buffers does not count, so this is a lot more than the limit.
  const times = 800
  const reading = amounts(fast, times)
  await happen(mine.walletId, { times, padding: 18_000 })
  expect(await reading).toHaveLength(times)
  const read: Buffer[] = []
  socket.on('data', (chunk) => read.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve).resume())
  const ids = [
    ...Buffer.concat(read)
      .toString()
      .matchAll(/\nid: (\d+)\nevent: .*\ndata: .*\n\n/g),
  ].map(([, id]) => id!)
  expect(ids.length).toBeLessThan(times)
  const again = await open('', ids.length > 0 ? { headers: { 'last-event-id': ids.at(-1)! } } : {})
  if (ids.length > 0) expect(await amounts(again, times - ids.length)).toHaveLength(times - ids.length)
})

test('a ticket opens one stream without a key', async () => {
  const answer = await api.get('/events/ticket', me.key, { method: 'POST' })
  expect(answer.headers.get('x-credits-cost')).toBe('0')
  const { ticket } = (await answer.json()) as { ticket: string }
  const url = `http://127.0.0.1:${api.port}/v1/events/stream?ticket=${ticket}`
  const abort = new AbortController()
  opened.push(abort)
  const response = await fetch(url, { signal: abort.signal })
  expect(response.status).toBe(200)
  const stream = readerOf(response)
  await happen(mine.walletId)
  expect(await amounts(stream, 1)).toEqual([world.newest()])
  expect((await fetch(url)).status).toBe(401)
  const { ticket: old } = (await (await api.get('/events/ticket', me.key, { method: 'POST' })).json()) as {
    ticket: string
  }
  await query(database.ownerUrl, 'update event_tickets set expires_at = now()')
  expect((await fetch(url.replace(ticket, old))).status).toBe(401)
  // It opens streams, and nothing else.
  expect((await fetch(`http://127.0.0.1:${api.port}/v1/events?ticket=${ticket}`)).status).toBe(401)
})

test('HEAD opens no stream, and the server closes while streams are open', async () => {
  const head = await api.get('/events/stream', me.key, { method: 'HEAD' })
  expect(head.status).toBe(200)
  const stream = await open()
  expect(stream.response.status).toBe(200)
  await api.app.close()
  while ((await stream.block()) !== null) continue
})
