import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { storePrices } from '../../db/prices/write.ts'
import { transact } from '../../db/transact.ts'
import { HOUR_MS, startOfPeriod } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { insertPrices } from '../setup/factories.ts'
import { runs } from '../setup/runs.ts'
import { startAlertsWorld } from './alerts-world.ts'

// From the write of a price to the charged event.

const database = await testDatabase()
const world = await startAlertsWorld(database)
const { api, add, call, newCoin, quote, told, paid } = world
afterAll(world.close)

test('a price that reaches its limit is one event, charged once, in the pages and at the endpoints that want it', async () => {
  const { key, accountId } = await api.newAccount()
  const wants = await world.newEndpoint(accountId, ['coin.price'])
  const wantsOthers = await world.newEndpoint(accountId, ['wallet.balance'])
  const coinId = await newCoin('100')
  const { id } = await add(key, { type: 'coin.price', coinId, above: 120 })
  await quote({ [coinId]: 119.99 })
  expect(await told(accountId)).toEqual([])
  await quote({ [coinId]: '120.000000000000000001' })
  await quote({ [coinId]: 125 })
  const events = await told(accountId)
  expect(events).toMatchObject([
    {
      type: 'coin.price',
      data: { alertId: id, coinId, priceUsd: 120, changePercent: null, rule: { above: 120 } },
    },
  ])
  expect(await told(accountId)).toHaveLength(1)
  expect(await paid(accountId, 'coin.price')).toBe(1)
  expect((await call(key, 'GET', '/events')).body.result).toEqual(events)
  expect([await world.deliveries(wants), await world.deliveries(wantsOthers)]).toEqual([['coin.price'], []])
  expect((await call(key, 'GET', '/alerts')).body.result).toMatchObject([
    { id, armed: false, firedAt: expect.any(String) },
  ])
})

test('an alert that names an endpoint is posted to it alone', async () => {
  const { key, accountId } = await api.newAccount()
  const named = await world.newEndpoint(accountId, ['wallet.balance'])
  const other = await world.newEndpoint(accountId, ['coin.price'])
  const coinId = await newCoin('100')
  await add(key, { type: 'coin.price', coinId, below: 90, endpointId: named })
  await quote({ [coinId]: 90 })
  expect(await told(accountId)).toHaveLength(1)
  expect([await world.deliveries(named), await world.deliveries(other)]).toEqual([['coin.price'], []])
})

test('two accounts with the same rule get an event of their own each and pay each', async () => {
  const accounts = [await api.newAccount(), await api.newAccount()]
  const coinId = await newCoin('100')
  for (const { key } of accounts) await add(key, { type: 'coin.price', coinId, below: 80 })
  await quote({ [coinId]: 75 })
  const events = await Promise.all(accounts.map(async ({ accountId }) => await told(accountId)))
  expect(events.map((of) => of.map(({ type }) => type))).toEqual([['coin.price'], ['coin.price']])
  expect(events[0]![0]!.data['alertId']).not.toBe(events[1]![0]!.data['alertId'])
  for (const { accountId } of accounts) expect(await paid(accountId, 'coin.price')).toBe(1)
})

test('an alert that its account cannot pay is held behind earlier events', async () => {
  const { key, accountId } = await api.newAccount({ credits: 11 })
  const coins = [await newCoin('100'), await newCoin('100')]
  await add(key, { type: 'coin.price', coinId: coins[0]!, above: 120 })
  await world.ask(
    `insert into alert_rules (id, account_id, kind, subject, rule) values (uuidv7(), $1, 'coin.price', $2, '{"above": 120}')`,
    [accountId, coins[1]!],
  )
  await quote({ [coins[0]!]: 130 })
  await quote({ [coins[1]!]: 130 })
  expect(await told(accountId)).toHaveLength(1)
  const held = await world.ask('select from account_events where account_id = $1 and held', [accountId])
  expect(held).toHaveLength(1)
})

test('whatever a price does, an alert fires once for each crossing and is armed half a percent behind it', async () => {
  const steps = fc.array(fc.integer({ min: 196, max: 204 }), { minLength: 1, maxLength: 12 })
  const rule = fc.constantFrom<'above' | 'below'>('above', 'below')
  await fc.assert(
    fc.asyncProperty(rule, fc.integer({ min: 196, max: 204 }), steps, async (side, first, prices) => {
      const { key, accountId } = await api.newAccount()
      const coinId = await newCoin(String(first))
      const { armed } = await add(key, { type: 'coin.price', coinId, [side]: 200 })
      // Half a percent of 200 is 1.
      const isPast = (price: number) => (side === 'above' ? price >= 200 : price <= 200)
      const isBehind = (price: number) => (side === 'above' ? price <= 199 : price >= 201)
      let isArmed = !isPast(first)
      expect(armed).toBe(isArmed)
      const expected: number[] = []
      for (const price of prices) {
        await quote({ [coinId]: price })
        if (isArmed && isPast(price)) expected.push(price)
        isArmed = isArmed ? !isPast(price) : isBehind(price)
      }
      const events = await told(accountId)
      expect(events.map(({ data }) => data['priceUsd'])).toEqual(expected)
    }),
    { numRuns: runs({ short: 12, long: 300 }) },
  )
})

test('a move is measured from the hourly price in force at the beginning of the window', async () => {
  const { key, accountId } = await api.newAccount()
  const coinId = await newCoin('100')
  await add(key, { type: 'coin.price', coinId, changePercent: 10, windowSeconds: 7_200 })
  // Without a price of that time the rule waits.
  await quote({ [coinId]: 150 })
  const hour = startOfPeriod('hourly', Date.now() - 7_200_000)
  const later = new Date(hour + 2 * HOUR_MS)
  await insertPrices(api.owner, {
    coinId,
    resolution: 'hour',
    points: [
      [new Date(hour), '100'],
      [later, '300'],
    ],
  })
  await insertPrices(api.owner, { coinId: await newCoin('5'), resolution: 'hour', points: [[later, '5']] })
  await quote({ [coinId]: 109 })
  expect(await told(accountId)).toEqual([])
  await quote({ [coinId]: 89 })
  await quote({ [coinId]: 90.2 })
  await quote({ [coinId]: 88 })
  await quote({ [coinId]: 91 })
  await quote({ [coinId]: 112.5 })
  const events = await told(accountId)
  expect(events.map(({ data }) => [data['priceUsd'], data['changePercent']])).toEqual([
    [89, -11],
    [112.5, 12.5],
  ])
  expect(events[0]!.data['rule']).toEqual({ changePercent: 10, windowSeconds: 7_200 })
})

test('a price of the past is not told; the next one of the present is', async () => {
  const { key, accountId } = await api.newAccount()
  const coinId = await newCoin('100')
  await add(key, { type: 'coin.price', coinId, above: 120 })
  await quote({ [coinId]: 130 }, { ageMs: HOUR_MS + 1_000 })
  expect(await told(accountId)).toEqual([])
  await quote({ [coinId]: 131 })
  expect((await told(accountId)).map(({ data }) => data['priceUsd'])).toEqual([131])
})

test('a stored price that replaces an old quote decides alerts too', async () => {
  const { key, accountId } = await api.newAccount()
  const coinId = await newCoin('100')
  await add(key, { type: 'coin.price', coinId, below: 50 })
  await quote({ [coinId]: 101 }, { ageMs: 10 * HOUR_MS })
  const at = new Date(startOfPeriod('hourly', Date.now()))
  await transact(world.pool, (transaction) =>
    storePrices(transaction, {
      resolution: 'hour',
      points: [{ coinId, at, usd: '49', source: 'test' }],
      histories: [],
      fetchedAt: new Date(at.getTime() + 60_000),
    }),
  )
  expect((await told(accountId)).map(({ data }) => data['priceUsd'])).toEqual([49])
})
