import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverWebhooks } from '../../activities/events/deliver-webhooks.ts'
import { countWebhooks } from '../../db/events/count-webhooks.ts'
import { pauseOverfull } from '../../db/events/record-attempts.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { startReceiver } from './receiver.ts'
import { webhookWorld } from './webhook-world.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const database = await testDatabase()
const receiver = await startReceiver()
const world = await webhookWorld(database, receiver)
const { deliver, deliveries, newAccount, newEndpoint, publish, pass } = world

let accountId: string
beforeAll(() =>
  world.ask(
    `create table account_events_of_test partition of account_events for values from ('2000-01-01') to ('2100-01-01')`,
  ),
)
beforeEach(async () => {
  receiver.answer(() => 204)
  await world.reset()
  accountId = await newAccount()
})
afterAll(() => expect(world.errors).toEqual([]))

/** Delivers, moves the clock and delivers again. */
async function deliverEvery(ms: number, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await deliver()
    pass(ms)
  }
}

test('an event is sent once, signed for its endpoint, and its delivery is recorded', async () => {
  const endpoint = await newEndpoint({ accountId })
  const seq = await publish(endpoint)
  await deliver()
  await deliver()
  expect(receiver.got).toHaveLength(1)
  const [{ headers, body }] = receiver.got as [(typeof receiver.got)[number]]
  const event = new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)
  expect(event).toMatchObject({ type: 'wallet.transaction', seq: String(seq), id: headers['webhook-id'] })
  expect(await deliveries(endpoint.id)).toEqual([
    { seq, attempts: 1, waits: null, ended: true, status: 204, failure: null, delivered: true },
  ])
})

test('each attempt sends the same bytes and the same id, signed at its own time', async () => {
  const endpoint = await newEndpoint({ accountId })
  await publish(endpoint)
  receiver.answer((n) => (n === 0 ? 500 : 204))
  await deliver()
  expect(await deliveries(endpoint.id)).toMatchObject([{ attempts: 1, ended: false, failure: 'status 500' }])
  pass(6_000)
  await deliver()
  const [first, second] = receiver.got
  expect(second!.body).toBe(first!.body)
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(first!.headers['webhook-timestamp']),
  )
  expect(await deliveries(endpoint.id)).toMatchObject([{ attempts: 2, ended: true, delivered: true }])
})

test('events of one wallet are first sent in their order, and a failed one does not hold the others', async () => {
  const endpoint = await newEndpoint({ accountId })
  const seqs = []
  for (let i = 0; i < 12; i++) seqs.push(await publish(endpoint, { lane: i % 2 }))
  // Slow answers to some, so that a later event could overtake an earlier one.
  receiver.answer((n) => (n === 2 ? 500 : 204), { delayOf: (n) => (n % 3) * 10 })
  await deliver()
  for (const lane of [0, 1]) {
    const wanted = seqs.filter((_seq, i) => i % 2 === lane)
    expect(receiver.seqs().filter((seq) => wanted.includes(seq))).toEqual(wanted)
  }
  expect((await deliveries(endpoint.id)).filter(({ delivered }) => !delivered)).toHaveLength(1)
})

test('an event that failed ten times between others that arrived is given up', async () => {
  const endpoint = await newEndpoint({ accountId })
  const failing = await publish(endpoint)
  receiver.answer((_n, seq) => (seq === failing ? 500 : 204))
  for (let i = 0; i < 10; i++) {
    await publish(endpoint)
    await deliverEvery(30 * 60 * MINUTE, 1)
  }
  expect((await deliveries(endpoint.id))[0]).toMatchObject({ attempts: 10, ended: true, delivered: false })
  expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'active' })
})

describe('an endpoint whose receiver fails', () => {
  test('backs off after five failures: one event is tried each minute, and the others wait untried', async () => {
    const endpoint = await newEndpoint({ accountId })
    for (let i = 0; i < 12; i++) await publish(endpoint, { lane: i % 4 })
    receiver.answer(() => 500)
    await deliver()
    expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'backing_off' })
    const sent = receiver.got.length
    await deliver()
    expect(receiver.got).toHaveLength(sent)
    await deliverEvery(MINUTE + 1_000, 6)
    expect(receiver.got.length - sent).toBe(5)
    expect((await deliveries(endpoint.id)).every(({ ended }) => !ended)).toBe(true)
  })

  test('gets what waited after its first 2xx, in order, ten a second', async () => {
    const endpoint = await newEndpoint({ accountId })
    const seqs = []
    for (let i = 0; i < 40; i++) seqs.push(await publish(endpoint, { lane: i % 4 }))
    receiver.answer(() => 500)
    await deliver()
    receiver.answer(() => 204)
    pass(MINUTE + 1_000)
    await deliver()
    expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'active', reason: null, failures: 0 })
    const before = receiver.got.length
    expect(before).toBeLessThan(20)
    pass(1_000)
    await deliver()
    expect(receiver.got.length - before).toBeGreaterThanOrEqual(10)
    expect(receiver.got.length - before).toBeLessThan(20)
    pass(10 * MINUTE)
    await deliver()
    expect(new Set(receiver.seqs())).toEqual(new Set(seqs))
    expect((await deliveries(endpoint.id)).every(({ delivered }) => delivered)).toBe(true)
  })

  test('is not kept down by one event on which it fails', async () => {
    const endpoint = await newEndpoint({ accountId })
    const poison = await publish(endpoint)
    receiver.answer((_n, seq) => (seq === poison ? 500 : 204))
    await deliverEvery(11 * 60 * MINUTE, 5)
    expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'backing_off' })
    const next = await publish(endpoint)
    pass(MINUTE)
    await deliverEvery(MINUTE + 1_000, 3)
    expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'active' })
    expect((await deliveries(endpoint.id)).find(({ seq }) => seq === next)).toMatchObject({ delivered: true })
  })

  test('case 41 with 410 is disabled at once; its events wait, and its account is told', async () => {
    const endpoint = await newEndpoint({ accountId })
    for (let i = 0; i < 3; i++) await publish(endpoint)
    receiver.answer(() => 410)
    await deliver()
    await deliverEvery(DAY, 3)
    expect(receiver.got).toHaveLength(1)
    const reason = 'The receiver answered 410 Gone'
    expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'disabled', reason })
    expect(await deliveries(endpoint.id)).toMatchObject([{ waits: true }, { waits: true }, { waits: true }])
    expect(
      await world.ask('select kind, payload from event_sources where account_id = $1', [accountId]),
    ).toEqual([{ kind: 'endpoint.disabled', payload: { endpointId: endpoint.id, reason } }])
  })

  test('case 41 with 429 gets nothing before the time that it asked for', async () => {
    const endpoint = await newEndpoint({ accountId })
    for (let i = 0; i < 4; i++) await publish(endpoint)
    receiver.answer((n) => (n === 0 ? 429 : 204), { headers: { 'retry-after': '600' } })
    await deliver()
    expect(receiver.got).toHaveLength(1)
    pass(9 * MINUTE)
    await deliver()
    expect(receiver.got).toHaveLength(1)
    pass(2 * MINUTE)
    await deliver()
    expect((await deliveries(endpoint.id)).every(({ delivered }) => delivered)).toBe(true)
  })

  test('is disabled after five days without success', async () => {
    const endpoint = await newEndpoint({ accountId })
    await publish(endpoint)
    receiver.answer(() => 'close')
    await deliverEvery(11 * 60 * MINUTE, 12)
    expect(await world.endpoint(endpoint.id)).toMatchObject({
      state: 'disabled',
      reason: 'No event was delivered for 5 days',
    })
  })
})

test('an endpoint for which too many events wait is paused, and nothing is lost', async () => {
  const endpoint = await newEndpoint({ accountId, state: 'backing_off' })
  for (let i = 0; i < 3; i++) await publish(endpoint)
  const pause = (most: number) => transact(world.deps.pool, ({ client }) => pauseOverfull(client, most))
  expect([await pause(4), await pause(3), await pause(3)]).toEqual([0, 1, 0])
  const reason = '3 events wait for it'
  expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'paused', reason })
  // One that its owner has paused needs no operator.
  await newEndpoint({ accountId, state: 'paused' })
  expect(await transact(world.deps.pool, ({ db }) => countWebhooks(db))).toMatchObject({
    overfull: 1,
    waiting: 3,
  })
  await deliverEvery(DAY, 2)
  expect(receiver.got).toEqual([])
  expect(await deliveries(endpoint.id)).toMatchObject([{ waits: true }, { waits: true }, { waits: true }])
})

test('a new endpoint gets its ping alone until it has answered 2xx', async () => {
  const endpoint = await newEndpoint({ accountId, state: 'new' })
  const early = await publish(endpoint)
  const ping = await publish(endpoint, { type: 'test.ping' })
  receiver.answer(() => 404)
  await deliverEvery(11 * 60 * MINUTE, 8)
  expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'new' })
  expect(new Set(receiver.seqs())).toEqual(new Set([ping]))
  receiver.answer(() => 204)
  await deliverEvery(MINUTE, 2)
  expect(await world.endpoint(endpoint.id)).toMatchObject({ state: 'active' })
  expect(receiver.seqs().at(-1)).toBe(early)
})

test('case 43 during a rotation both secrets sign, and after a day the new one alone', async () => {
  const endpoint = await newEndpoint({ accountId })
  const next = await newEndpoint({ accountId })
  await publish(endpoint)
  receiver.answer((n) => (n === 0 ? 500 : 204))
  await deliver()
  // The sealed text is bound to its endpoint, so the other one's is sealed anew.
  const secret = await world.rotate(endpoint)
  pass(6_000)
  await deliver()
  const [first, second] = receiver.got.map(({ body, headers }) => ({
    verifies: (by: string) => {
      try {
        return Boolean(new Webhook(by).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    },
  }))
  expect([first!.verifies(endpoint.secret), first!.verifies(secret)]).toEqual([true, false])
  expect([second!.verifies(endpoint.secret), second!.verifies(secret)]).toEqual([true, true])
  expect(second!.verifies(next.secret)).toBe(false)
  pass(DAY)
  await publish(endpoint)
  await deliver()
  expect(receiver.got.at(-1)!.headers['webhook-signature']).not.toContain(' ')
})

test('case 49 an account that is deleted takes its endpoints with it, also in the middle of an attempt', async () => {
  const endpoint = await newEndpoint({ accountId })
  const other = await newEndpoint({ accountId: await newAccount() })
  for (let i = 0; i < 3; i++) await publish(endpoint)
  await publish(other)
  receiver.answer(() => 204, {
    before: () => world.ask('delete from accounts where id = $1', [accountId]).then(() => {}),
  })
  await deliver()
  expect(await deliveries(endpoint.id)).toEqual([])
  expect(await deliveries(other.id)).toMatchObject([{ delivered: true }])
  expect(receiver.got.length).toBeLessThanOrEqual(3)
})

test('case 39 every event arrives, wherever the process ends', async () => {
  const endpoint = await newEndpoint({ accountId })
  const seqs = []
  for (let i = 0; i < 40; i++) seqs.push(await publish(endpoint, { lane: i % 4 }))
  receiver.answer((n) => (n % 7 === 3 ? 500 : 204))
  let ends = 0
  for (let point = 0; point < 200; point++) {
    const { deps, reached } = world.endingAt(point % 25)
    await deliver(deps).catch(() => {})
    if (!reached()) continue
    ends++
    // Others wait until what the ended process had taken is free again.
    pass(MINUTE + 1_000)
  }
  pass(30 * MINUTE)
  await deliverEvery(30 * MINUTE, 3)
  expect(ends).toBeGreaterThan(10)
  expect(new Set(receiver.seqs())).toEqual(new Set(seqs))
  expect((await deliveries(endpoint.id)).every(({ delivered }) => delivered)).toBe(true)
})

test('several processes share the work, and no event is sent twice', async () => {
  const endpoint = await newEndpoint({ accountId })
  const seqs = []
  for (let i = 0; i < 60; i++) seqs.push(await publish(endpoint, { lane: i % 4 }))
  const controller = new AbortController()
  const processes = [1, 2, 3].map(() => deliverWebhooks({ ...world.deps, ending: controller.signal }))
  await expect.poll(() => receiver.got.length).toBe(60)
  controller.abort()
  await Promise.all(processes)
  expect(receiver.seqs().toSorted((a, b) => a - b)).toEqual(seqs)
})
