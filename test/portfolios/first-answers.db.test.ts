import { expect, test } from 'vitest'
import { getPortfolioChart } from '../../api/portfolios/get-chart.ts'
import { getPortfolioCoins } from '../../api/portfolios/get-coins.ts'
import { getPortfolioDefi } from '../../api/portfolios/get-defi.ts'
import { getPortfolioExplain } from '../../api/portfolios/get-explain.ts'
import { getPortfolioPlHistory } from '../../api/portfolios/get-pl-history.ts'
import { getPortfolioTransactions } from '../../api/portfolios/get-transactions.ts'
import { getPortfolioValue } from '../../api/portfolios/get-value.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import {
  activateNetworks,
  address,
  insertBalance,
  insertWallet,
  outboxOf,
} from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// Portfolios that were connected a moment ago: balances are known, the history is not.

const database = await testDatabase()
const api = await startApi({
  database,
  routes,
  overrides: { now: () => NOW },
  firstReads: { waitMs: 60_000 },
})
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
await insertMarket(api.owner, database.ownerUrl)
await activateNetworks(api.owner, ['ethereum'])

/** Stores what the first step of a sync stores: 2 ETH, worth 4,000 USD. */
async function storeFirstBalances(wallet: string): Promise<string> {
  const walletId = await insertWallet(api.owner, {
    address: wallet,
    syncs: { ethereum: null },
    balances: { ethereum: NOW },
  })
  const held = { walletId, networkId: 'ethereum', coinId: 'ethereum', at: NOW }
  await insertBalance(api.owner, { ...held, raw: '2000000000000000000' })
  return walletId
}

const read = async (key: string, route: Route, query = '') =>
  await endpoint(api, { route, key })(`${route.path}?${query}`)

test('a wallet is connected when its first balances are stored; its reads are 200 at once and say what is pending', async () => {
  const { key } = await api.newAccount({ plan: 'pro' })
  const wallet = address(1)
  const connecting = api.get('/portfolio/wallet', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: wallet, connectionId: 'ethereum' }),
  })
  await expect
    .poll(async () => (await outboxOf(api.owner)).map(({ workflow }) => workflow))
    .toContain('syncWallet')
  await storeFirstBalances(wallet)
  const connected = await connecting
  expect(connected.status).toBe(200)
  const { portfolioId } = (await connected.json()) as { portfolioId: string }
  const meta = { pending: [portfolioId] }

  const value = await read(key, getPortfolioValue, 'currency=USD')
  expect(value.body).toMatchObject({
    totalValue: 4_000,
    totalCost: 4_000,
    unrealizedProfitLoss: 0,
    allTimeProfitLoss: 0,
    meta,
  })
  expect(value.headers.get('x-sync-status')).toBe('syncing')
  const { body: coins } = await read(key, getPortfolioCoins)
  expect(coins).toMatchObject({
    result: [
      { coin: { identifier: 'ethereum' }, count: 2, price: { USD: 2_000 }, profit: { hour24: { USD: 0 } } },
    ],
    meta,
  })
  const { body: chart } = await read(key, getPortfolioChart, 'type=1w')
  expect(chart).toMatchObject({ result: [[NOW.getTime(), 4_000, expect.any(Number), 2]], meta })
  expect((await read(key, getPortfolioDefi)).body).toMatchObject({ protocols: [], meta })
  const history = await read(key, getPortfolioPlHistory, 'interval=daily&range=1w')
  expect(history.body).toMatchObject({ result: [], meta })
  const transactions = await read(key, getPortfolioTransactions, 'currency=USD')
  expect(transactions.body).toEqual({ data: [], meta: { page: 1, limit: 20, ...meta } })
  expect(await (await api.get(`/portfolio/status?portfolioId=${portfolioId}`, key)).json()).toEqual({
    status: 'syncing',
  })
})

test('balances without a history add to the figures of the other portfolios, and the chart ends with their sum', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro' })
  await storeFirstBalances(address(2))
  const pending = await world.walletPortfolio(accountId, address(2), 'ethereum')
  await world.manualPortfolio(accountId, [
    { at: at('03T06:00:00'), coinId: 'ethereum', count: 1, priceUsd: 1_500 },
    { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
  ])
  const { body: value } = await read(key, getPortfolioValue, 'currency=USD')
  expect(value).toMatchObject({
    totalValue: 2 * 2_000 + 2_000 + 59_000,
    totalCost: 2 * 2_000 + 1_500 + 53_000,
    unrealizedProfitLoss: 500 + 6_000,
    meta: { pending: [pending] },
  })
  const { body: coins } = await read(key, getPortfolioCoins)
  expect(coins.result.map(({ coin, count }: any) => [coin.identifier, count])).toEqual([
    ['bitcoin', 1],
    ['ethereum', 3],
  ])
  const { body: chart } = await read(key, getPortfolioChart, 'type=all')
  expect(chart.result.at(-1).slice(0, 2)).toEqual([NOW.getTime(), value.totalValue])
})

test('balances of an exchange account count until its history is complete', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro' })
  const id = await world.exchangePortfolio(accountId, [], false)
  const other = await world.exchangePortfolio((await api.newAccount()).accountId, [], false)
  await api.owner
    .insertInto('exchange_balances')
    .values([
      { connection_id: id, asset: 'BTC', amount: '0.5', source: 'test', fetched_at: NOW },
      { connection_id: id, asset: 'NOBODY-KNOWS', amount: '7', source: 'test', fetched_at: NOW },
      { connection_id: other, asset: 'BTC', amount: '3', source: 'test', fetched_at: NOW },
    ])
    .execute()
  const { body } = await read(key, getPortfolioValue, 'currency=USD')
  expect(body).toMatchObject({ totalValue: 29_500, meta: { pending: [id] } })
})

test('a wallet whose history is computed is not counted twice', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro' })
  const walletId = await world.wallet(address(3), 'ethereum', [
    { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
  ])
  await insertBalance(api.owner, {
    walletId,
    networkId: 'ethereum',
    coinId: 'ethereum',
    raw: '2000000000000000000',
    at: NOW,
  })
  await world.walletPortfolio(accountId, address(3), 'ethereum')
  // The figures are stored a moment before the sync says so.
  await api.owner
    .updateTable('wallet_syncs')
    .set({ synced_at: null })
    .where('wallet_id', '=', walletId)
    .execute()
  expect((await read(key, getPortfolioValue, 'currency=USD')).body).toMatchObject({ totalValue: 4_000 })
})

test('a wallet whose first transaction is of today has all its figures today; only positions that nobody has read are missing', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro' })
  const walletId = await world.wallet(address(4), 'ethereum', [
    { at: at('10T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
  ])
  const portfolioId = await world.walletPortfolio(accountId, address(4), 'ethereum')
  const of = `portfolioId=${portfolioId}`
  const status = async () => (await (await api.get(`/portfolio/status?${of}`, key)).json()) as object
  const value = () => read(key, getPortfolioValue, of)
  const figures = { totalValue: 4_000, totalCost: 3_800, allTimeProfitLoss: 200 }
  expect((await value()).body).toMatchObject({ ...figures, meta: { pending: [portfolioId] } })
  expect(await status()).toEqual({ status: 'syncing' })

  await query(
    database.ownerUrl,
    `insert into defi_reads (wallet_id, network_id, source, fetched_at, complete_at)
     values ($1, 'ethereum', 'test', now(), now())`,
    [walletId],
  )
  const whole = await value()
  expect(whole.body).toMatchObject(figures)
  expect([whole.body.meta, whole.headers.get('x-sync-status')]).toEqual([undefined, null])
  expect(await status()).toEqual({ status: 'synced' })
  const answers = [
    [getPortfolioCoins, ''],
    [getPortfolioChart, 'type=1w'],
    [getPortfolioDefi, ''],
    [getPortfolioTransactions, 'currency=USD'],
    [getPortfolioPlHistory, 'interval=daily&range=1w'],
    [getPortfolioExplain, 'coinId=ethereum'],
  ] as const
  for (const [route, more] of answers) {
    const { body } = await read(key, route, `${of}&${more}`)
    expect([route.path, body.meta?.pending]).toEqual([route.path, undefined])
  }
})
