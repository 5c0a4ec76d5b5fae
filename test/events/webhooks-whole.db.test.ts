import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { routes } from '../../api/routes.ts'
import { sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { startReceiver } from './receiver.ts'
import { networkId, tellWallet } from './watched-wallet.ts'
import { sealingKey, webhookWorld } from './webhook-world.ts'

// From POST /webhooks to events that the receiver verifies.

const database = await testDatabase()
const receiver = await startReceiver()
const world = await webhookWorld(database, receiver)
const { pool } = world.deps
const webhooks = { sealKey: sealingPublicKey(sealingKey), allowed: new Set([new URL(receiver.url).host]) }
const api = await startApi({ database, routes, overrides: { webhooks } })
const AT = new Date('2026-03-10T10:00:00Z')
let block = 1

beforeAll(async () => {
  await activateNetworks(api.owner, [networkId])
  await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', rank: 2, priceUsd: '2000', at: AT })
})
beforeEach(async () => {
  await world.reset()
  receiver.answer(() => 204)
})
afterAll(() => expect(world.errors).toEqual([]))

const wallet = await tellWallet(pool, { address: address(1), now: () => AT })
await wallet.derive([{ number: 1, ether: 1n }])
await wallet.complete()

async function send(): Promise<void> {
  while ((await publishBatch({ pool })).isMore) continue
  await world.deliver()
}

async function startAccount() {
  const { key, accountId } = await api.newAccount()
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await api.get(path, key, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    // Answers have many shapes. eslint-disable-next-line typescript/no-explicit-any
    return (await response.json()) as any
  }
  return { accountId, call }
}

test('an endpoint answers its ping and then gets each event of its wallets once, signed with its secret', async () => {
  const { call } = await startAccount()
  const { id, secret } = await call('POST', '/webhooks', {
    url: `${receiver.url}/in`,
    types: ['wallet.transaction'],
    wallets: [{ address: address(1), connectionId: networkId }],
  })
  // Happens before the ping is answered, and waits for it.
  await wallet.derive([{ number: ++block, ether: 1n }])
  await send()
  expect((await call('GET', `/webhooks/${id}`)).state).toBe('active')
  await wallet.derive([{ number: ++block, ether: 2n }])
  world.pass(1_000)
  await send()
  const verified = receiver.got.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  )
  expect(verified).toMatchObject([
    { type: 'test.ping', data: { endpointId: id } },
    { type: 'wallet.transaction', data: { address: address(1), blockNumber: 2 } },
    { type: 'wallet.transaction', data: { address: address(1), blockNumber: 3 } },
  ])
  const { result } = await call('GET', `/webhooks/${id}/deliveries`)
  expect(result.map((one: { state: string }) => one.state)).toEqual(Array(3).fill('delivered'))
  const ids = receiver.got.map(({ headers }) => headers['webhook-id']).toReversed()
  expect(result.map((one: { eventId: string }) => one.eventId)).toEqual(ids)
  const older = await call('GET', `/webhooks/${id}/deliveries?limit=1&beforeSeq=${result[0].seq}`)
  expect(older.result).toEqual([result[1]])
})

test('a paused endpoint loses nothing: a replay sends what happened meanwhile', async () => {
  const { call } = await startAccount()
  const { id } = await call('POST', '/webhooks', {
    url: `${receiver.url}/in`,
    types: ['wallet.transaction'],
    wallets: [{ address: address(1), connectionId: networkId }],
  })
  await send()
  await call('PATCH', `/webhooks/${id}`, { state: 'paused' })
  for (let i = 0; i < 3; i++) await wallet.derive([{ number: ++block, ether: 1n }])
  await call('POST', `/webhooks/${id}/test`)
  await send()
  expect(receiver.seqs()).toHaveLength(1)
  await call('PATCH', `/webhooks/${id}`, { state: 'active' })
  await send()
  expect(receiver.seqs()).toHaveLength(2)
  const [ping] = receiver.seqs()
  const replayed = await call('POST', `/webhooks/${id}/replay`, { fromSeq: String(ping! + 1) })
  // The three transactions, and both pings since then.
  expect(replayed).toEqual({ events: 5, throughSeq: String(receiver.seqs()[1]) })
  world.pass(1_000)
  await send()
  const blocks = receiver.got.flatMap(({ body }) => (JSON.parse(body) as Sent).data.blockNumber ?? [])
  expect(blocks).toEqual([block - 2, block - 1, block])
  expect(await call('POST', `/webhooks/${id}/replay`, { from: '2100-01-01T00:00:00Z' })).toEqual({
    events: 0,
    throughSeq: null,
  })
})

interface Sent {
  data: { blockNumber?: number }
}

test('an endpoint is told when another one of its account is disabled', async () => {
  const { accountId, call } = await startAccount()
  const body = { url: `${receiver.url}/in`, wallets: 'all' }
  const { id } = await call('POST', '/webhooks', { ...body, types: ['endpoint.disabled'] })
  await send()
  const failing = await world.newEndpoint({ accountId })
  await world.publish(failing)
  receiver.answer((n) => (n === 0 ? 410 : 204))
  await send()
  await send()
  expect(receiver.got.map(({ body: text }) => JSON.parse(text) as unknown).at(-1)).toMatchObject({
    type: 'endpoint.disabled',
    data: { endpointId: failing.id, reason: 'The receiver answered 410 Gone' },
  })
  expect((await call('GET', `/webhooks/${id}`)).state).toBe('active')
})
