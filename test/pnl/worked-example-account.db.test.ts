import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { type BookSet, readBookSet, forgetPortfolio, markAccountDirty } from '../../db/pnl/books.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { readCoins } from '../../db/pnl/lots/read-coins.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { divide, formatDecimal, subtract, sum } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { refreshAccount } from './law-three.ts'
import { CONNECTION, idOf, NETWORKS, NOW, storeWorkedExample, WALLET } from './worked-example-tables.ts'
import { fixture } from './worked-example.ts'

// Checks the stored days and folds of the worked example, as the portfolios of one account.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), ingest.close(), api.close()]))

const PORTFOLIOS = {
  exchange: CONNECTION,
  ethereum: CONNECTION.replace(/1$/, '2'),
  base: CONNECTION.replace(/1$/, '3'),
}
const SCOPES = {
  portfolio: Object.values(PORTFOLIOS),
  exchange: [PORTFOLIOS.exchange],
  wallet_all: [PORTFOLIOS.ethereum, PORTFOLIOS.base],
  wallet_ethereum: [PORTFOLIOS.ethereum],
  wallet_base: [PORTFOLIOS.base],
}
let accountId: string

beforeAll(async () => {
  accountId = (await createAccount(owner.db, { name: 'test', plan: 'pro' })).accountId
  await storeWorkedExample({ database, owner: owner.db, ingest, accountId })
  const rows = [
    [PORTFOLIOS.exchange, 'exchange', null, null],
    [PORTFOLIOS.ethereum, 'wallet', WALLET, NETWORKS['W:ethereum']],
    [PORTFOLIOS.base, 'wallet', WALLET, NETWORKS['W:base']],
  ]
  for (const row of rows)
    await query(
      database.ownerUrl,
      'insert into portfolios (id, account_id, kind, address, network_id) values ($1, $5, $2, $3, $4)',
      [...row, accountId],
    )
  await markAccountDirty(ingest.db, accountId)
  await refresh()
})

const refresh = () => refreshAccount({ connection: ingest, accountId, nowMs: NOW.getTime() })
const setOf = (ids: readonly string[]): Promise<BookSet> =>
  readBookSet(api.db, {
    accountId,
    portfolios: ids.map((id) => ({ id })),
    isWhole: ids.length === Object.keys(PORTFOLIOS).length,
  })
const text = formatDecimal
/** Rounds to 12 places, like the figures of the cases. */
const rounded = (value: Decimal) => text(divide(value, { coefficient: 1n, scale: 0 }, 12))

async function days(ids: readonly string[]) {
  const window = {
    interval: 'daily',
    fromMs: Date.parse('2024-01-01'),
    toMs: NOW.getTime(),
    currency: 'USD',
  } as const
  return (await readPlPeriods({ db: api.db, ...(await setOf(ids)), ...window }))!
}

describe.each(Object.entries(SCOPES))('01 scope %s', (scope, ids) => {
  test('profit, flow and value of each day equal the example', async () => {
    const found = await days(ids)
    const expected = fixture.expected.daily[scope as keyof typeof SCOPES].slice(-found.length)
    expect(
      found.map((day) => ({
        date: new Date(day.endMs).toISOString(),
        startValue: text(day.opening),
        endValue: text(day.closing),
        netFlow: text(day.flow),
        profitLoss: text(periodProfit(day).profitLoss),
        profitLossPercent: rounded(periodProfit(day).profitLossPercent),
      })),
    ).toEqual(expected)
  })
})

test('01 the profit of the whole is the sum of its parts and the gain in flight', async () => {
  const profit = async (ids: readonly string[]) =>
    sum((await days(ids)).map((day) => periodProfit(day).profitLoss))
  const [whole, exchange, wallet, ethereum, base] = await Promise.all(Object.values(SCOPES).map(profit))
  expect([whole, exchange, wallet, ethereum, base].map((value) => text(value!))).toEqual([
    '1500.5',
    '673.2',
    '827.3',
    '855.862',
    '-29.358',
  ])
  expect(text(subtract(wallet!, sum([ethereum!, base!])))).toBe('0.796')
})

async function coinsBy(method: CostMethod) {
  await query(database.ownerUrl, 'update accounts set cost_method = $1', [method])
  await markAccountDirty(ingest.db, accountId)
  await refresh()
  const foldId = await findFold(api.db, await setOf(SCOPES.portfolio))
  const rows = await readCoins(api.db, { foldId: foldId!, nowMs: NOW.getTime() })
  return new Map(rows.map(({ coinId, item }) => [coinId, item.usd]))
}

test.each(COST_METHODS)(
  '01 by %s: the figures of every coin and their totals equal the example',
  async (method) => {
    const expected = fixture.expected.costBasis[method === 'average' ? 'avg' : method]
    const coins = await coinsBy(method)
    for (const [asset, figures] of Object.entries(expected.coins)) {
      const { count, price, totalCost, profit, averageBuy } = coins.get(idOf(asset))!
      expect({
        count: text(count),
        price: text(price),
        totalCost: rounded(totalCost),
        averageCost: rounded(averageBuy.unrealized),
        unrealized: rounded(profit.unrealized),
        realized: rounded(profit.realized),
        allTime: rounded(profit.allTime),
      }).toEqual(
        Object.fromEntries(
          ['count', 'price', 'totalCost', 'averageCost', 'unrealized', 'realized', 'allTime'].map((name) => [
            name,
            figures[name as keyof typeof figures],
          ]),
        ),
      )
    }
    const total = (key: 'realized' | 'unrealized' | 'allTime') =>
      rounded(sum([...coins.values()].map(({ profit }) => profit[key])))
    expect({ realized: total('realized'), unrealized: total('unrealized') }).toEqual(expected.totals)
    expect(total('allTime')).toBe('1500.5')
  },
)

test('deleting portfolios leaves the figures of the rest and no rows of the deleted ones', async () => {
  await forgetPortfolio(ingest.db, PORTFOLIOS.exchange)
  await forgetPortfolio(ingest.db, PORTFOLIOS.base)
  await refresh()
  const left = await readBookSet(api.db, {
    accountId,
    portfolios: [{ id: PORTFOLIOS.ethereum }],
    isWhole: true,
  })
  const foldId = await findFold(api.db, left)
  const rows = await readCoins(api.db, { foldId: foldId!, nowMs: NOW.getTime() })
  expect(text(sum(rows.map(({ item }) => item.usd.profit.allTime)))).toBe('855.862')
  const [found] = await query<Record<string, number>>(
    database.ownerUrl,
    `select (select count(*) from transfer_matches m join scopes s on s.id = scope_id where account_id is not null)::int as matches,
       (select count(*) from exchange_connections)::int as connections,
       (select count(*) from exchange_legs)::int as legs,
       (select count(*) from books where connection_id is not null)::int as books,
       (select count(*) from pl_days where book_id not in (select id from books))::int as days,
       (select count(*) from balance_days where book_id not in (select id from books))::int as balances`,
  )
  expect(found).toEqual({ matches: 0, connections: 0, legs: 0, books: 0, days: 0, balances: 0 })
})
