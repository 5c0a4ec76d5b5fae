import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { setDegen } from '../../db/metering/write.ts'
import { storePrices } from '../../db/prices/write.ts'
import { transact } from '../../db/transact.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertRates } from '../setup/factories.ts'
import { activateNetworks, address, insertBalance } from '../setup/wallet-factories.ts'
import { expectPoint } from './explain-sums.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// One price in force: the newest quote of a coin values it in every answer, from the quote's instant on.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro' })
const W = address(1)
const ETHER = 10n ** 18n

/** The stored price of ETH is 2,000 since midnight; BTC was at 59,000 at midnight. */
const ETH_QUOTE = 2_100
const BTC_QUOTE = 60_000

const quote = (coinId: string, usd: number, quotedAt: Date) =>
  query(database.ownerUrl, 'update coin_quotes set price_usd = $2, at = $3 where coin_id = $1', [
    coinId,
    usd,
    quotedAt,
  ])

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, ['ethereum'])
  await insertRates(api.owner, { currency: 'EUR', rates: [[at('01T00:00:00'), '0.9']] })
  const walletId = await world.wallet(W, 'ethereum', [
    { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
    { at: at('10T11:00:00'), coinId: 'ethereum', amount: 1, priceUsd: 2_000 },
  ])
  await insertBalance(api.owner, {
    walletId,
    networkId: 'ethereum',
    coinId: 'ethereum',
    raw: String(3n * ETHER),
    at: NOW,
  })
  await world.walletPortfolio(accountId, W, 'ethereum')
  await setDegen(api.owner, { accountId, degen: true })
  return () => ingest.close()
})

async function ask(path: string, init?: { method: string; body: unknown }) {
  const response = await api.get(path, key, {
    ...(init && {
      method: init.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(init.body),
    }),
  })
  const body = (await response.json()) as any
  expect([path, response.status, body]).toEqual([path, 200, body])
  return body
}
const OF_WALLET = `address=${W}&connectionId=ethereum`
const profitOf = async (path: string) =>
  (await ask(path)).result.reduce((sum: number, { profitLoss }: any) => sum + profitLoss, 0)

/** What every endpoint says that the wallet is worth. */
async function values() {
  const [held] = await ask(`/wallet/balance?${OF_WALLET}`)
  const { summary } = await ask(`/wallet/pl?${OF_WALLET}`)
  const [coin] = (await ask('/portfolio/coins')).result
  const { totalValue } = await ask('/portfolio/value?currency=USD')
  const lastOf = async (path: string) => (await ask(path)).result.at(-1)[1]
  return {
    balance: held.amount * held.price,
    pl: summary.totalValue.USD,
    coins: coin.count * coin.price.USD,
    value: totalValue,
    day: await lastOf(`/wallet/chart?type=24h&${OF_WALLET}`),
    year: await lastOf(`/wallet/chart?type=1y&${OF_WALLET}`),
    portfolio: await lastOf('/portfolio/chart?type=24h'),
  }
}
const everywhere = (usd: number) => Object.fromEntries(Object.keys(EVERYWHERE).map((name) => [name, usd]))
const EVERYWHERE = { balance: 0, pl: 0, coins: 0, value: 0, day: 0, year: 0, portfolio: 0 }

describe('the newest quote', () => {
  beforeAll(async () => {
    await quote('ethereum', ETH_QUOTE, at('10T11:55:00'))
    await quote('bitcoin', BTC_QUOTE, at('10T11:55:00'))
  })

  test('values a wallet in every endpoint', async () => {
    expect(await values()).toEqual(everywhere(3 * ETH_QUOTE))
  })

  test('is named beside the older time of sync and price', async () => {
    const paths = [
      `/wallet/balance?${OF_WALLET}`,
      `/wallet/balance/many?wallets=ethereum:${W}`,
      `/wallet/pl?${OF_WALLET}`,
      `/wallet/chart?type=24h&${OF_WALLET}`,
      `/wallet/charts?type=1y&wallets=ethereum:${W}`,
      `/wallet/pl/history?interval=daily&range=1w&${OF_WALLET}`,
      `/wallet/explain?coinId=ethereum&${OF_WALLET}`,
      `/portfolio/explain?interval=daily&range=1w&date=${NOW.toISOString()}`,
      '/portfolio/coins',
      '/portfolio/value?currency=EUR',
      '/portfolio/chart?type=1m',
      '/portfolio/pl/history?interval=hourly&range=24h',
      `/wallet/transactions?${OF_WALLET}`,
      '/portfolio/transactions?currency=USD',
    ]
    const quotedAt = '2026-03-10T11:55:00.000Z'
    const agesOf = async (path: string) => {
      const { status, headers } = await api.get(path, key)
      return [path, status, headers.get('x-data-as-of'), headers.get('x-price-as-of')]
    }
    const allOf = async () => {
      const ages = []
      for (const path of paths) ages.push(await agesOf(path))
      return ages
    }
    expect(await allOf()).toEqual(paths.map((path) => [path, 200, quotedAt, quotedAt]))
    const syncedAt = '2026-03-10T10:00:00.000Z'
    await query(database.ownerUrl, 'update wallet_syncs set synced_at = $1', [syncedAt])
    expect(await allOf()).toEqual(paths.map((path) => [path, 200, syncedAt, quotedAt]))
    // A window that has ended rests on the prices of its end.
    expect(await agesOf('/portfolio/pl/history?interval=daily&from=2026-03-08&to=2026-03-09')).toEqual([
      expect.any(String),
      200,
      '2026-03-09T00:00:00.000Z',
      '2026-03-09T00:00:00.000Z',
    ])
  })

  test('gives BTC and ETH their price as units of account', async () => {
    const { summary } = await ask(`/wallet/pl?${OF_WALLET}`)
    expect(summary.totalValue).toEqual({ USD: 6_300, BTC: 6_300 / BTC_QUOTE, ETH: 3 })
    const points = (await ask('/portfolio/chart?type=24h')).result
    expect(points.at(-1)).toEqual([NOW.getTime(), 6_300, 6_300 / BTC_QUOTE, 3])
    for (const currency of ['BTC', 'ETH'] as const) {
      const { totalValue } = await ask(`/portfolio/value?currency=${currency}`)
      expect(totalValue).toBe(summary.totalValue[currency])
    }
  })

  test('is in the last period of the history, whose sum is the profit of all coins', async () => {
    const { summary } = await ask(`/wallet/pl?${OF_WALLET}`)
    expect(summary.profit.allTime.USD).toBe(3 * ETH_QUOTE - 2 * 1_900 - 2_000)
    for (const interval of ['daily', 'monthly'])
      expect(await profitOf(`/portfolio/pl/history?interval=${interval}&range=all`)).toBe(
        summary.profit.allTime.USD,
      )
    // From 12:00 of yesterday on, at 2,000 until the quote.
    expect(summary.profit.hour24.USD).toBe(300)
    expect(await profitOf('/portfolio/pl/history?interval=hourly&range=24h')).toBe(300)
  })

  test.each(['USD', 'BTC', 'ETH'])('is named by the explanations, which add up in %s', async (currency) => {
    const window = `interval=daily&range=1w&currency=${currency}`
    const point = (await ask(`/portfolio/pl/history?${window}`)).result.at(-1)
    const { date, profitLoss } = point
    const body = await ask(`/portfolio/explain?${window}&date=${date}&limit=100`)
    expectPoint(body, { ...point, date, profitLoss })
    const price = { usd: String(ETH_QUOTE), at: '2026-03-10T11:55:00.000Z', source: 'quote' }
    expect(body.end.positions.items[0].price).toEqual(price)
    expect((await ask('/portfolio/explain?coinId=ethereum')).prices.now).toEqual(price)
  })

  test('leaves charts before its instant and closed days at their stored prices', async () => {
    const points = (await ask('/portfolio/chart?type=24h')).result as number[][]
    const before = points.filter(([time]) => time! < at('10T11:00:00').getTime())
    expect(new Set(before.map(([, usd]) => usd))).toEqual(new Set([4_000]))
    const days = (await ask('/portfolio/chart?type=1w')).result as number[][]
    expect(days.slice(0, -1).every(([, usd]) => usd === 4_000)).toBe(true)
  })
})

describe('a stored price', () => {
  const stored = (usd: string, time: Date) =>
    transact(ingest.pool, (transaction) =>
      storePrices(transaction, {
        resolution: 'hour',
        points: [{ coinId: 'ethereum', at: time, usd, source: 'test' }],
        histories: [],
        fetchedAt: NOW,
      }),
    )

  test('of the hour in which the newest quote was made leaves it in force', async () => {
    await quote('ethereum', ETH_QUOTE, at('10T10:55:00'))
    await stored('2050', at('10T11:00:00'))
    expect(await values()).toEqual(everywhere(3 * ETH_QUOTE))
  })

  test('that is an hour newer is in force everywhere', async () => {
    await quote('ethereum', ETH_QUOTE, at('10T10:55:00'))
    await stored('2070', at('10T12:00:00'))
    expect(await values()).toEqual(everywhere(3 * 2_070))
  })
})

test('what its owner states as bought now is worth what it cost', async () => {
  await quote('bitcoin', BTC_QUOTE, at('10T11:55:00'))
  const portfolioId = await world.manualPortfolio(accountId, [])
  const body = {
    portfolioId,
    coinId: 'bitcoin',
    count: 0.5,
    currency: 'USD',
    date: NOW.getTime() - 1_000,
  }
  await ask('/portfolio/transaction', { method: 'POST', body })
  await world.recompute(portfolioId)
  expect(await ask(`/portfolio/value?currency=USD&portfolioId=${portfolioId}`)).toMatchObject({
    totalValue: 30_000,
    totalCost: 30_000,
    allTimeProfitLoss: 0,
  })
  // The day before it, the stored price is in force.
  await ask('/portfolio/transaction', {
    method: 'POST',
    body: { ...body, date: at('09T11:00:00').getTime() },
  })
  await world.recompute(portfolioId)
  expect(await ask(`/portfolio/value?currency=USD&portfolioId=${portfolioId}`)).toMatchObject({
    totalValue: 60_000,
    totalCost: 59_000,
  })
})
