import fc from 'fast-check'
import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { decideOnce, decidePortfolioAlerts } from '../../activities/events/decide-portfolio-alerts.ts'
import type { Database } from '../../db/schema.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { failingPool, Killed } from '../chain/failing-pool.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertPrices } from '../setup/factories.ts'
import { runs } from '../setup/runs.ts'
import { startAlertsWorld } from './alerts-world.ts'

// From a price or a holding that moves a portfolio to the charged event.

const database = await testDatabase()
const world = await startAlertsWorld(database)
const { api, ask, add, call, quote, told, paid, ingest } = world
afterAll(world.close)
const portfolios = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())
const decide = (at = new Date()) => decideOnce({ db: ingest.db, now: () => at })
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000)

/** A coin with a stored price of yesterday and a quote. */
async function newCoin(priceUsd: string): Promise<string> {
  const coinId = await world.newCoin(priceUsd)
  const points = [[new Date(startOfPeriod('daily', Date.now() - DAY_MS)), priceUsd]] as const
  await insertPrices(api.owner, { coinId, resolution: 'day', points })
  return coinId
}

/** An account with one portfolio of ten coins that are worth 10 USD each. */
async function newPortfolio() {
  const account = await api.newAccount()
  const coinId = await newCoin('10')
  const buy = (count: number) => ({ at: new Date(Date.now() - 3_600_000), coinId, count, priceUsd: 10 })
  const portfolioId = await portfolios.manualPortfolio(account.accountId, [buy(10)])
  return { ...account, coinId, portfolioId, buy }
}

test('a portfolio that moves is one event with the value of GET /portfolio/value, charged once', async () => {
  const { key, accountId, coinId, portfolioId } = await newPortfolio()
  const wants = await world.newEndpoint(accountId, ['portfolio.value'])
  const wantsOthers = await world.newEndpoint(accountId, ['coin.price'])
  const { id } = await add(key, { type: 'portfolio.value', portfolioId, changePercent: 5 })
  await decide()
  await quote({ [coinId]: 10.49 })
  await decide()
  expect(await told(accountId)).toEqual([])
  await quote({ [coinId]: '10.512345678901234567' })
  await decide()
  await decide()
  const events = await told(accountId)
  const { body } = await call(key, 'GET', `/portfolio/value?portfolioId=${portfolioId}`)
  expect(events).toMatchObject([
    {
      type: 'portfolio.value',
      data: {
        alertId: id,
        portfolioId,
        valueUsd: body.totalValue,
        previousValueUsd: 100,
        changePercent: 5.1235,
        rule: { changePercent: 5, everySeconds: 60 },
      },
    },
  ])
  expect(await paid(accountId, 'portfolio.value')).toBe(1)
  expect((await call(key, 'GET', '/events')).body.result).toEqual(events)
  expect([await world.deliveries(wants), await world.deliveries(wantsOthers)]).toEqual([
    ['portfolio.value'],
    [],
  ])
  expect((await call(key, 'GET', '/alerts')).body.result).toMatchObject([
    { id, portfolioId, changePercent: 5, everySeconds: 60, armed: true, firedAt: expect.any(String) },
  ])
})

test('coins that are bought move a portfolio as prices do', async () => {
  const { key, accountId, portfolioId, buy } = await newPortfolio()
  await add(key, { type: 'portfolio.value', portfolioId, changePercent: 50 })
  await portfolios.state(portfolioId, [buy(5)])
  await decide()
  expect((await told(accountId)).map(({ data }) => [data['valueUsd'], data['changePercent']])).toEqual([
    [150, 50],
  ])
})

test('the next event is told when its seconds are over, and measures from the last one', async () => {
  const { key, accountId, coinId, portfolioId } = await newPortfolio()
  await add(key, { type: 'portfolio.value', portfolioId, changePercent: 10, everySeconds: 120 })
  await quote({ [coinId]: 20 })
  await decide(inSeconds(1))
  await quote({ [coinId]: 10 })
  await decide(inSeconds(120))
  expect(await told(accountId)).toHaveLength(1)
  await decide(inSeconds(121))
  await quote({ [coinId]: 10.9 })
  await decide(inSeconds(500))
  expect(
    (await told(accountId)).map(({ data }) => [
      data['previousValueUsd'],
      data['valueUsd'],
      data['changePercent'],
    ]),
  ).toEqual([
    [100, 200, 100],
    [200, 100, -50],
  ])
})

test('an empty portfolio has moved with its first coin', async () => {
  const account = await api.newAccount()
  const coinId = await newCoin('10')
  const bought = { at: new Date(Date.now() - 7_200_000), coinId, count: 1, priceUsd: 10 }
  const portfolioId = await portfolios.manualPortfolio(account.accountId, [
    bought,
    { ...bought, at: new Date(Date.now() - 3_600_000), count: -1 },
  ])
  await add(account.key, { type: 'portfolio.value', portfolioId, changePercent: 1 })
  await decide()
  expect(await told(account.accountId)).toEqual([])
  await portfolios.state(portfolioId, [{ ...bought, at: new Date() }])
  await decide()
  expect(await told(account.accountId)).toMatchObject([
    { data: { valueUsd: 10, previousValueUsd: 0, changePercent: null } },
  ])
})

describe('nothing is told', () => {
  test('of a portfolio whose figures are not there yet: their first value is where moves begin', async () => {
    const { key, accountId } = await api.newAccount()
    const coinId = await newCoin('10')
    const portfolioId = await portfolios.manualPortfolio(accountId, [])
    await add(key, { type: 'portfolio.value', portfolioId, changePercent: 1 })
    await decide()
    await portfolios.state(portfolioId, [{ at: new Date(), coinId, count: 10, priceUsd: 10 }])
    await decide()
    expect(await told(accountId)).toEqual([])
    await quote({ [coinId]: 11 })
    await decide()
    expect(await told(accountId)).toMatchObject([{ data: { previousValueUsd: 100, valueUsd: 110 } }])
  })

  test('of a wallet while newer blocks are still to be read', async () => {
    const { key, accountId } = await api.newAccount()
    const coinId = await newCoin('10')
    const address = `0x${'a'.repeat(40)}`
    const held = { at: new Date(Date.now() - DAY_MS), coinId, amount: 10, priceUsd: 10 }
    const walletId = await portfolios.wallet(address, 'ethereum', [held])
    const portfolioId = await portfolios.walletPortfolio(accountId, address, 'ethereum')
    await add(key, { type: 'portfolio.value', portfolioId, changePercent: 1 })
    const set = (at: Date | null) =>
      ask('update wallet_syncs set synced_at = $2 where wallet_id = $1', [walletId, at])
    await set(null)
    await quote({ [coinId]: 20 })
    await decide()
    expect(await told(accountId)).toEqual([])
    await set(new Date())
    await decide()
    expect(await told(accountId)).toMatchObject([{ data: { previousValueUsd: 100, valueUsd: 200 } }])
  })

  test('to an account that has removed the portfolio: its alerts go with it', async () => {
    const { key, accountId, coinId, portfolioId } = await newPortfolio()
    await add(key, { type: 'portfolio.value', portfolioId, changePercent: 1 })
    await ask('select forget_portfolio($1)', [portfolioId])
    await quote({ [coinId]: 20 })
    await decide()
    expect(await told(accountId)).toEqual([])
    expect((await call(key, 'GET', '/alerts')).body.result).toEqual([])
  })
})

test('a portfolio of another account is as unknown as one that does not exist', async () => {
  const [{ portfolioId }, { key }] = [await newPortfolio(), await api.newAccount()]
  for (const unknown of [portfolioId, '00000000-0000-7000-8000-000000000000', 'x']) {
    const rule = { type: 'portfolio.value', portfolioId: unknown, changePercent: 1 }
    const { status, body } = await call(key, 'POST', '/alerts', rule)
    expect([status, body.message]).toEqual([404, `Portfolio with id '${unknown}' not found`])
  }
})

test.each([
  ['a smaller move', { changePercent: 0.49 }, 'changePercent'],
  ['no move', { changePercent: undefined }, 'changePercent'],
  ['a shorter time', { everySeconds: 59 }, 'everySeconds'],
  ['a field of other alerts', { above: 1 }, 'body'],
])('POST /alerts refuses %s', async (_name, fields, parameter) => {
  const { key, portfolioId } = await newPortfolio()
  const rule = { type: 'portfolio.value', portfolioId, changePercent: 1, ...fields }
  const { status, body } = await call(key, 'POST', '/alerts', rule)
  expect([status, body.message]).toEqual([400, expect.stringContaining(`Invalid parameter: ${parameter}.`)])
})

test('two processes that look at the same moment tell once, each of all its rules', async () => {
  const { key, accountId, coinId, portfolioId } = await newPortfolio()
  await ask(
    `insert into alert_rules (id, account_id, kind, subject, rule, value_usd)
     select uuidv7(), $1, 'portfolio.value', $2, '{"changePercent": 1, "everySeconds": 60}', 100
     from generate_series(1, 1100)`,
    [accountId, portfolioId],
  )
  await quote({ [coinId]: 11 })
  await Promise.all([decide(), decide(), decide()])
  const [row] = await ask<{ n: number; rules: number }>(
    `select count(*)::integer as n, count(distinct payload #>> '{data,alertId}')::integer as rules
     from event_sources where account_id = $1`,
    [accountId],
  )
  expect(row).toEqual({ n: 1100, rules: 1100 })
  expect((await call(key, 'GET', '/alerts?limit=1')).body.result).toMatchObject([{ changePercent: 1 }])
  await ask('delete from event_sources where account_id = $1', [accountId])
  await ask('delete from alert_rules where account_id = $1', [accountId])
})

test('a look that is killed at any statement tells of each move once', async () => {
  const { key, accountId, coinId, portfolioId } = await newPortfolio()
  await add(key, { type: 'portfolio.value', portfolioId, changePercent: 1 })
  let kills = 0
  for (let failAt = 1, isKilled = true; isKilled; failAt++) {
    const at = inSeconds(61 * failAt)
    await quote({ [coinId]: 10 + failAt })
    const pool = failingPool(ingest.pool, failAt)
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
    isKilled = await decideOnce({ db, now: () => at })
      .then(() => false)
      .catch((error: unknown) => {
        if (error instanceof Killed) return true
        throw error
      })
    if (isKilled) await decide(at)
    kills = failAt
  }
  expect(kills).toBeGreaterThan(4)
  expect((await told(accountId)).map(({ data }) => data['valueUsd'])).toEqual(
    Array.from({ length: kills }, (_, i) => 110 + 10 * i),
  )
})

test('the loop looks without being asked, and ends with its worker', async () => {
  const { key, accountId, coinId, portfolioId } = await newPortfolio()
  await add(key, { type: 'portfolio.value', portfolioId, changePercent: 1 })
  await quote({ [coinId]: 12 })
  const ending = new AbortController()
  const loop = decidePortfolioAlerts({ db: ingest.db, now: () => new Date(), ending: ending.signal })
  await expect.poll(() => told(accountId)).toHaveLength(1)
  ending.abort()
  await loop
})

test('whatever a value does, an event tells each move from the last told value, seconds apart', async () => {
  const steps = fc.array(fc.record({ value: fc.integer({ min: 90, max: 110 }), wait: fc.nat(90) }), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), steps, async (changePercent, moves) => {
      const { key, accountId, coinId, portfolioId } = await newPortfolio()
      await add(key, { type: 'portfolio.value', portfolioId, changePercent })
      let at = inSeconds(1)
      let [last, lastAt] = [100, -Infinity]
      const expected: number[] = []
      for (const { value, wait } of moves) {
        at = new Date(at.getTime() + wait * 1_000)
        await quote({ [coinId]: value / 10 })
        await decide(at)
        if (Math.abs(value - last) * 100 < changePercent * last || at.getTime() - lastAt < 60_000) continue
        ;[last, lastAt] = [value, at.getTime()]
        expected.push(value)
      }
      expect((await told(accountId)).map(({ data }) => data['valueUsd'])).toEqual(expected)
    }),
    { numRuns: runs({ short: 10, long: 200 }) },
  )
})
