import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query, readResult } from '../setup/query.ts'

// Which rules a price or a market decides, beside rules on others, and where a value is for one.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const AT = new Date('2026-05-18T12:00:00Z')
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)
const HOUR = 3_600
const markets = { one: 0, other: 0 }
const ids = new Map<string, string>()
let account = ''

beforeAll(async () => {
  account = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  for (const id of ['a', 'b']) await insertCoin(owner.db, { id, priceUsd: '5', at: AT })
  for (const name of ['one', 'other'] as const) {
    const [row] = await ask<{ id: number }>(
      `insert into prediction_markets (slug, venue, venue_market_id, question, url, status, created_at, updated_at, source, fetched_at)
       values ($1, 'polymarket', $1, 'Will it?', '', 'open', now(), now(), 'test', now()) returning id`,
      [name],
    )
    markets[name] = row!.id
  }
})
beforeEach(async () => {
  await ask('truncate alert_rules, event_sources, prediction_outcomes, price_hours')
  await ask(`update prediction_markets set status = 'open'`)
  ids.clear()
})

async function rule(name: string, kind: string, subject: string | number, stated: object, armed = true) {
  ids.set(name, randomUUID())
  await ask(
    'insert into alert_rules (id, account_id, kind, subject, rule, armed) values ($1, $2, $3, $4, $5, $6)',
    [ids.get(name), account, kind, String(subject), stated, armed],
  )
}
const nameOf = (id: string) => [...ids].find(([, one]) => one === id)![0]
/** Rules as they are, and those that were told since the last look. */
async function state() {
  const rules = await ask<{ id: string; armed: boolean; fired: boolean }>(
    'select id, armed, fired_at is not null as fired from alert_rules',
  )
  const told = await ask<{ id: string }>(
    `delete from event_sources returning payload #>> '{data,alertId}' as id`,
  )
  const sorted = (names: string[]) => names.toSorted((a, b) => a.localeCompare(b)).join()
  return {
    armed: sorted(rules.filter(({ armed }) => armed).map(({ id }) => nameOf(id))),
    fired: sorted(rules.filter(({ fired }) => fired).map(({ id }) => nameOf(id))),
    told: sorted(told.map(({ id }) => nameOf(id))),
  }
}
const quote = (coinId: string, usd: number, at = AT, fetchedAt = AT) =>
  ask('update coin_quotes set price_usd = $2, at = $3, fetched_at = $4 where coin_id = $1', [
    coinId,
    usd,
    at,
    fetchedAt,
  ])

test('a price decides the rules on its coin, fires those that it reaches and arms those behind it', async () => {
  await rule('above', 'coin.price', 'a', { above: '10' })
  await rule('below', 'coin.price', 'a', { below: '10' }, false)
  await rule('far', 'coin.price', 'a', { above: '30' })
  await rule('of the other coin', 'coin.price', 'b', { above: '10' })
  await rule('of a portfolio', 'portfolio.value', 'a', { above: '10' })
  const others = 'far,of a portfolio,of the other coin'
  await quote('a', 20)
  expect(await state()).toEqual({ armed: `below,${others}`, fired: 'above', told: 'above' })
  // Between its limit and the margin behind it, nothing changes.
  await quote('a', 10.01)
  await quote('a', 12)
  expect(await state()).toEqual({ armed: `below,${others}`, fired: 'above', told: '' })
  await quote('a', 9.95)
  expect(await state()).toEqual({ armed: `above,${others}`, fired: 'above,below', told: 'below' })
  await quote('b', 11)
  expect(await state()).toMatchObject({ fired: 'above,below,of the other coin', told: 'of the other coin' })
})

test('a price that was an hour old when it came decides nothing', async () => {
  await rule('above', 'coin.price', 'a', { above: '10' })
  await quote('a', 20, after(-HOUR))
  expect(await state()).toEqual({ armed: 'above', fired: '', told: '' })
  await quote('a', 20, after(-HOUR + 0.001))
  expect(await state()).toEqual({ armed: '', fired: 'above', told: 'above' })
})

test('a move is measured from the last hourly price of the coin before its window, at most two hours before', async () => {
  const hour = (coinId: string, seconds: number, usd: number) =>
    insertPrices(owner.db, { coinId, resolution: 'hour', points: [[after(seconds), String(usd)]] })
  const side = async (price: number) => {
    const [row] = await ask<{ side: number | null; change: number | null }>(
      `select side, change::float8 from coin_alert_side($1, 'a', $2, $3)`,
      [{ changePercent: '10', windowSeconds: HOUR }, price, AT],
    )
    return [row!.side, row!.change]
  }
  await hour('b', -HOUR, 50)
  await hour('a', -3 * HOUR, 50)
  await hour('a', -HOUR + 1, 50)
  // Without one, a rule neither fires nor is armed.
  expect(await side(100)).toEqual([0, null])
  await hour('a', -3 * HOUR + 1, 80)
  expect(await side(100)).toEqual([1, 25])
  await hour('a', -2 * HOUR, 0)
  expect(await side(100)).toEqual([1, 25])
  await hour('a', -HOUR, 100)
  expect([await side(110), await side(90), await side(109.6), await side(109.5), await side(100)]).toEqual([
    [1, 10],
    [1, -10],
    [0, expect.closeTo(9.6)],
    [-1, expect.closeTo(9.5)],
    [-1, 0],
  ])
})

const outcome = (market: number, position: number, name: string, price: number) =>
  ask(
    `insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
     values ($1, $2, $3, $4, $5, 'test', now())`,
    [market, position, `${market}-${position}`, name, price],
  )

test('a market is for a rule where the outcome is that it names, or Yes, or the first one', async () => {
  const side = (kind: string, stated: object, market = markets.one) =>
    readResult(database.ownerUrl, 'market_alert_side($1, $2, $3)', [kind, stated, market])
  const price = (stated: object) => side('market.price', stated)
  await outcome(markets.other, 0, 'Yes', 0.9)
  expect(await price({ above: '0.5' })).toBe(0)
  await outcome(markets.one, 1, 'Maybe', 0.8)
  await outcome(markets.one, 0, 'No', 0.3)
  expect([await price({ above: '0.3' }), await price({ above: '0.31' })]).toEqual([1, -1])
  await outcome(markets.one, 2, 'YES', 0.6)
  expect([
    await price({ above: '0.6' }),
    await price({ above: '0.602' }),
    await price({ above: '0.605' }),
  ]).toEqual([1, 0, -1])
  expect(await price({ below: '0.3', outcomeId: `${markets.one}-0` })).toBe(1)
  expect(await price({ above: '0.8', outcomeId: `${markets.one}-1` })).toBe(1)
  const states = []
  for (const status of ['open', 'closed', 'resolved', 'cancelled']) {
    await ask('update prediction_markets set status = $2 where id = $1', [markets.one, status])
    states.push([status, await side('market.resolved', {}), await side('market.resolved', {}, markets.other)])
  }
  expect(states).toEqual([
    ['open', -1, -1],
    ['closed', -1, -1],
    ['resolved', 1, -1],
    ['cancelled', 1, -1],
  ])
})

test('markets that were stored decide the rules on them, once for each crossing', async () => {
  await outcome(markets.one, 0, 'Yes', 0.7)
  await outcome(markets.other, 0, 'Yes', 0.7)
  await rule('above', 'market.price', markets.one, { above: '0.7' })
  await rule('below', 'market.price', markets.one, { below: '0.6' }, false)
  await rule('of the other', 'market.price', markets.other, { above: '0.7' })
  await rule('resolved', 'market.resolved', markets.one, {})
  await rule('of a coin', 'coin.price', markets.one, { above: '0.7' })
  const decide = (...found: number[]) => ask('select decide_market_alerts($1)', [found])
  await decide()
  expect(await state()).toMatchObject({ fired: '', told: '' })
  await decide(markets.one)
  expect(await state()).toEqual({
    armed: 'below,of a coin,of the other,resolved',
    fired: 'above',
    told: 'above',
  })
  await decide(markets.one)
  expect(await state()).toMatchObject({ fired: 'above', told: '' })
  await ask(`update prediction_markets set status = 'resolved' where id = $1`, [markets.one])
  await ask(`update prediction_outcomes set price = 0.5 where market_id = $1`, [markets.one])
  await decide(markets.one, markets.other)
  expect(await state()).toEqual({
    armed: 'above,of a coin',
    fired: 'above,below,of the other,resolved',
    told: 'below,of the other,resolved',
  })
})

test('without rules on coins or markets, prices and markets tell nobody', async () => {
  await rule('of a portfolio', 'portfolio.value', 'a', { above: '1' })
  await quote('a', 20)
  await ask('select decide_market_alerts($1)', [[markets.one]])
  expect(await state()).toEqual({ armed: 'of a portfolio', fired: '', told: '' })
})
