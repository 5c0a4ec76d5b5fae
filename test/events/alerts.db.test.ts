import { afterAll, describe, expect, test } from 'vitest'
import { deleteAlerts } from '../../api/events/delete-alerts.ts'
import { getAlerts } from '../../api/events/get-alerts.ts'
import { postAlert } from '../../api/events/post-alert.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { startAlertsWorld } from './alerts-world.ts'

const database = await testDatabase()
const world = await startAlertsWorld(database)
const { api, ask, call, add, newCoin } = world
afterAll(world.close)
const coinId = await newCoin('100')
const wanted = { type: 'coin.price', coinId, above: 120 }
const init = (method: string, body?: unknown) => ({
  method,
  ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
})

test('an alert is added for 10 credits, listed for 3 and removed for 10', async () => {
  const { key } = await api.newAccount()
  const added = await endpoint(api, { route: postAlert, key })('/alerts', init('POST', wanted))
  expect(added.credits).toBe(10)
  expect(added.body).toMatchObject({ ...wanted, endpointId: null, armed: true, firedAt: null })
  const moves = { type: 'coin.price', coinId, changePercent: 5, windowSeconds: 3_600 }
  await add(key, moves)
  const list = await endpoint(api, { route: getAlerts, key })('/alerts')
  expect(list.credits).toBe(3)
  expect(list.body).toMatchObject({ meta: { page: 1, limit: 20 }, result: [added.body, moves] })
  const second = await endpoint(api, { route: getAlerts, key })('/alerts?page=2&limit=1')
  expect(second.body.result).toMatchObject([moves])
  const remove = endpoint(api, { route: deleteAlerts, key })
  const ids = list.body.result.map(({ id }: { id: string }) => id)
  const { credits } = await remove(`/alerts?ids=${ids.join()}`, init('DELETE'))
  expect(credits).toBe(10)
  expect((await call(key, 'GET', '/alerts')).body.result).toEqual([])
  expect((await call(key, 'DELETE', `/alerts?ids=${ids[0]}`)).status).toBe(404)
})

test('repeated with its Idempotency-Key, one alert is added', async () => {
  const { key } = await api.newAccount()
  const once = { 'idempotency-key': 'once' }
  const first = await call(key, 'POST', '/alerts', wanted, once)
  const second = await call(key, 'POST', '/alerts', wanted, once)
  expect(second.body).toEqual(first.body)
  expect((await call(key, 'GET', '/alerts')).body.result).toEqual([first.body])
})

test('an Idempotency-Key is for one alert: with other parameters it is refused', async () => {
  const { key } = await api.newAccount()
  const once = { 'idempotency-key': 'once' }
  await call(key, 'POST', '/alerts', wanted, once)
  const other = await call(key, 'POST', '/alerts', { ...wanted, above: 121 }, once)
  expect([other.status, other.body.message]).toEqual([400, 'Idempotency-Key was used with other parameters'])
  expect((await call(key, 'GET', '/alerts')).body.result).toHaveLength(1)
})

test('repeated with its Idempotency-Key, a removal gets its first answer and is charged once', async () => {
  const { key, accountId } = await api.newAccount()
  const { id } = await add(key, wanted)
  const once = { 'idempotency-key': 'gone' }
  const answers = []
  for (let i = 0; i < 2; i++) answers.push(await call(key, 'DELETE', `/alerts?ids=${id}`, undefined, once))
  expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, { success: true }]))
  expect(await world.paid(accountId, 'DELETE /alerts')).toBe(10)
  expect((await call(key, 'DELETE', `/alerts?ids=${id}`)).status).toBe(404)
})

test.each([
  ['no ids', '', 400],
  ['an empty list', '?ids=', 400],
  ['more than 100', `?ids=${Array.from({ length: 101 }, (_, i) => `a${i}`).join()}`, 400],
  ['a repeated parameter', '?ids=a&ids=b', 400],
  ['what is no id', '?ids=a', 404],
])('DELETE /alerts refuses %s, for nothing', async (_name, query, status) => {
  const { key, accountId } = await api.newAccount()
  const answer = await call(key, 'DELETE', `/alerts${query}`)
  expect([answer.status, answer.headers.get('x-credits-cost') ?? '0']).toEqual([status, '0'])
  expect(await world.paid(accountId, 'DELETE /alerts')).toBe(0)
})

test('without credits no alert is added or removed', async () => {
  const { key } = await api.newAccount({ credits: 12 })
  const { id } = await add(key, wanted)
  expect((await call(key, 'POST', '/alerts', wanted)).status).toBe(429)
  expect((await call(key, 'DELETE', `/alerts?ids=${id}`)).status).toBe(429)
  const [row] = await ask<{ n: number }>('select count(*)::integer as n from alert_rules where id = $1', [id])
  expect(row!.n).toBe(1)
})

describe('POST /alerts refuses', () => {
  test.each([
    ['an unknown type', { type: 'wallet.balance' }, 'type'],
    ['no limit', { above: undefined }, 'above'],
    ['two limits', { below: 90 }, 'above'],
    ['a negative price', { above: -1 }, 'above'],
    ['a price as text', { above: '120' }, 'above'],
    ['a move without its time', { above: undefined, changePercent: 5 }, 'windowSeconds'],
    ['a time without a move', { windowSeconds: 3_600 }, 'windowSeconds'],
    ['a time under an hour', { above: undefined, changePercent: 5, windowSeconds: 60 }, 'windowSeconds'],
    ['a field that it does not have', { price: 1 }, 'body'],
    ['an endpoint that is no id', { endpointId: 'mine' }, 'endpointId'],
  ])('%s', async (_name, fields, parameter) => {
    const { key } = await api.newAccount()
    const { status, body } = await call(key, 'POST', '/alerts', { ...wanted, ...fields })
    expect([status, body.message]).toEqual([400, expect.stringContaining(`Invalid parameter: ${parameter}.`)])
  })

  test('an unknown type, and names those that there are', async () => {
    const { key } = await api.newAccount()
    const { body } = await call(key, 'POST', '/alerts', { type: 'coin.prise' })
    expect(body.message).toBe(
      'Invalid parameter: type. It must be one of: portfolio.value, coin.price, market.price, market.resolved',
    )
  })

  test('a coin that does not exist', async () => {
    const { key } = await api.newAccount()
    const { status, body } = await call(key, 'POST', '/alerts', { ...wanted, coinId: 'nothing' })
    expect([status, body.message]).toEqual([404, "Coin with id 'nothing' not found"])
  })

  test('an endpoint of another account', async () => {
    const [{ key }, other] = [await api.newAccount(), await api.newAccount()]
    const endpointId = await world.newEndpoint(other.accountId, ['coin.price'])
    const { status } = await call(key, 'POST', '/alerts', { ...wanted, endpointId })
    expect(status).toBe(400)
    expect((await call(other.key, 'POST', '/alerts', { ...wanted, endpointId })).status).toBe(200)
  })

  test('more alerts than the plan has, also at the same moment', async () => {
    const { key, accountId } = await api.newAccount({ plan: 'free' })
    await ask(
      `insert into alert_rules (id, account_id, kind, subject, rule)
       select uuidv7(), $1, 'coin.price', $2, '{"above": 1}' from generate_series(1, 18)`,
      [accountId, coinId],
    )
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(key, 'POST', '/alerts', wanted)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400, 400])
    const refused = answers.find(({ status }) => status === 400)!
    expect(refused.body.message).toBe('Your plan allows 20 alerts. Remove some, or change the plan')
  })
})

test('an alert of another account is as unknown as one that does not exist', async () => {
  const [{ key: own }, { key }] = [await api.newAccount(), await api.newAccount()]
  const { id } = await add(own, wanted)
  for (const unknown of [id, '00000000-0000-7000-8000-000000000000', 'x']) {
    const { status, body } = await call(key, 'DELETE', `/alerts?ids=${unknown}`)
    expect([status, body.message]).toEqual([404, `Alert with id '${unknown}' not found`])
  }
  const mixed = await add(key, wanted)
  expect((await call(key, 'DELETE', `/alerts?ids=${mixed.id},${id}`)).status).toBe(404)
  expect((await call(key, 'GET', '/alerts')).body.result).toHaveLength(1)
})

test('the alerts of an account and of an endpoint go with it', async () => {
  const { key, accountId } = await api.newAccount()
  const endpointId = await world.newEndpoint(accountId, ['coin.price'])
  await add(key, { ...wanted, endpointId })
  await call(key, 'DELETE', `/webhooks/${endpointId}`)
  expect((await call(key, 'GET', '/alerts')).body.result).toEqual([])
})
