import { afterAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertBalance } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// What others have changes no answer of an account or of a wallet, to the last digit.

const database = await testDatabase()
const webhooks = { sealKey: sealingPublicKey(createSealingKey()), allowed: new Set<string>() }
const newApi = () => startApi({ database, routes, overrides: { now: () => NOW, webhooks } })
const api = await newApi()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(() => ingest.close())
const world = portfolioWorld(database, { db: api.owner }, ingest)
await insertMarket(api.owner, database.ownerUrl)
await activateNetworks(api.owner, ['ethereum', 'base-wallet'])

/** Creates an account with a synced and an unread wallet, exchange accounts, a manual portfolio, an endpoint and an alert. */
async function newHolder(n: number) {
  const { accountId, key } = await api.newAccount({ plan: 'pro' })
  const [synced, unread] = [address(2 * n), address(2 * n + 1)]
  const coin = { coinId: 'ethereum', priceUsd: 1_900 }
  const walletId = await world.wallet(synced, 'ethereum', [
    { ...coin, at: at('02T06:00:00'), amount: 2 * n },
    { ...coin, at: at('04T06:00:00'), amount: -n },
  ])
  await insertBalance(api.owner, {
    walletId,
    networkId: 'ethereum',
    coinId: 'ethereum',
    raw: `${n}000000000000000000`,
    at: NOW,
  })
  const portfolios = {
    wallet: await world.walletPortfolio(accountId, synced, 'ethereum'),
    unread: await world.walletPortfolio(accountId, unread, 'ethereum'),
    exchange: await world.exchangePortfolio(accountId, [
      ['deposit', at('02T00:00:00'), 'USDT', 10_000 * n],
      ['fill', at('03T00:00:00'), 'BTC', 0.1 * n, ['USDT', -5_000 * n]],
    ]),
    pending: await world.exchangePortfolio(accountId, [], false),
    manual: await world.manualPortfolio(accountId, [
      { at: at('03T06:00:00'), coinId: 'bitcoin', count: n, priceUsd: 53_000, note: `note ${n}` },
    ]),
  }
  for (const id of [portfolios.exchange, portfolios.pending])
    await query(
      database.ownerUrl,
      `insert into exchange_balances (connection_id, asset, amount, source, fetched_at) values ($1, 'BTC', $2, 'test', $3)`,
      [id, 0.1 * n, NOW],
    )
  const post = async (path: string, body: object) => {
    const answer = await api.get(path, key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([path, answer.status]).toEqual([path, 200])
    return (await answer.json()) as { id: string }
  }
  const hook = { url: `https://hooks${n}.example.com/in`, types: ['wallet.transaction'], wallets: 'all' }
  const { id: webhook } = await post('/webhooks', hook)
  await post('/alerts', { type: 'coin.price', coinId: 'bitcoin', above: 100_000 * n })
  return { key, wallet: synced, portfolios, webhook }
}
type Holder = Awaited<ReturnType<typeof newHolder>>

const PL = 'pl/history?interval=daily&range=all&'
const OF_WALLET = 'balance? pl? explain?coinId=ethereum& status? transactions? chart?type=all& defi?'
const OF_PORTFOLIO =
  'value? coins? chart?type=all& defi? status? explain?coinId=ethereum& report?year=2026& transactions? snapshot/items?'
const OF_EXCHANGE = 'transactions? pl? status? chart?type=all&'
const questions = (starts: string): string[] => [...starts.split(' '), PL]

function requestsOf({ wallet, portfolios, webhook }: Holder): string[] {
  const { exchange, pending } = portfolios
  return [
    ...questions(OF_WALLET).map((start) => `/wallet/${start}address=${wallet}&connectionId=ethereum`),
    ...questions(OF_PORTFOLIO).map((start) => `/portfolio/${start}`),
    ...Object.values(portfolios).flatMap((id) =>
      questions(OF_PORTFOLIO).map((start) => `/portfolio/${start}portfolioId=${id}`),
    ),
    ...[exchange, pending].flatMap((id) =>
      questions(OF_EXCHANGE).map((start) => `/exchange/${start}portfolioId=${id}`),
    ),
    '/portfolio/list',
    '/webhooks',
    '/alerts',
    '/events',
    `/webhooks/${webhook}`,
    `/webhooks/${webhook}/deliveries`,
  ]
}

const holder = await newHolder(1)
const answersOf = (server: typeof api) =>
  Promise.all(
    requestsOf(holder).map(async (path) => {
      const response = await server.get(path, holder.key)
      const body = (await response.text()).replace(/"requestId":"[^"]+"/, '')
      return { path, status: response.status, body }
    }),
  )

test('S1 answers are the same before and after another account has as much', async () => {
  const before = await answersOf(api)
  // Refusals count too: of a coin that was never held, or a history that is not complete.
  expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(60)
  await newHolder(3)
  // One that has kept none of them.
  expect(await answersOf(await newApi())).toEqual(before)
})
