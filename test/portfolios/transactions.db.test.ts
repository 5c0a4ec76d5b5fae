import { beforeAll, describe, expect, test } from 'vitest'
import { getPortfolioTransactions } from '../../api/portfolios/get-transactions.ts'
import { transactionsPage } from '../../api/portfolios/list-transactions.ts'
import { routes } from '../../api/routes.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertTransactions } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'

// One list of wallet, exchange and manual transactions.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
const list = endpoint(api, { route: getPortfolioTransactions, key })
const ask = async (rest = '', currency = 'USD') =>
  (await list(`/portfolio/transactions?currency=${currency}${rest}`)).body
const ids = { wallet: '', exchange: '', manual: '' }

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await insertRates(api.owner, {
    currency: 'EUR',
    rates: [
      [at('01T00:00:00'), '0.8'],
      [at('09T00:00:00'), '0.9'],
    ],
  })
  await activateNetworks(api.owner, ['ethereum'])
  await world.wallet(address(1), 'ethereum', [
    { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
    { at: at('05T06:00:00'), coinId: 'ethereum', amount: -0.5, priceUsd: 2_000 },
  ])
  ids.wallet = await world.walletPortfolio(accountId, address(1), 'ethereum', 'Cold')
  ids.exchange = await world.exchangePortfolio(accountId, [
    ['deposit', at('02T05:00:00'), 'USDT', 10_000],
    ['fill', at('03T06:00:00'), 'BTC', 0.1, ['USDT', -5_200]],
    ['dust', at('07T06:00:00'), 'USDT', -10, ['ETH', 0.005]],
  ])
  ids.manual = await world.manualPortfolio(accountId, [
    { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000, note: 'from a friend' },
    { at: at('08T06:00:00'), coinId: 'bitcoin', count: -0.5, priceUsd: 57_000 },
    { at: at('06T06:00:00'), coinId: 'FiatCoinEUR', count: 100, priceUsd: 1.25 },
  ])
  return () => Promise.all([ingest.close(), readonly.close()])
})

test('lists all transactions of an account, newest first, with their portfolio', async () => {
  const { data, meta } = await ask()
  expect(meta).toEqual({ page: 1, limit: 20 })
  expect(
    data.map((item: any) => [item.date.slice(8, 10), item.transactionType, item.portfolioInfo.name]),
  ).toEqual([
    ['08', 'Sell', 'Manual'],
    ['07', 'Dust Convert', 'Binance'],
    ['06', 'Received', 'Manual'],
    ['05', 'Received', 'Cold'],
    ['04', 'Buy', 'Manual'],
    ['03', 'Buy', 'Binance'],
    ['02', 'Received', 'Cold'],
    ['02', 'Received', 'Binance'],
  ])
  expect(data[0].portfolioInfo).toEqual({ name: 'Manual', icon: '' })
  expect(data[1].portfolioInfo.icon).toContain('binance')
  expect(data[3].portfolioInfo.icon).not.toBe('')
})

test('a manual transaction has its note, its price and its current value', async () => {
  const { data } = await ask(`&portfolioId=${ids.manual}`)
  const [sold, euros, bought] = data
  expect(bought.id).toMatch(/^[0-9a-f-]{36}$/)
  expect(bought).toMatchObject({
    transactionType: 'Buy',
    date: at('04T06:00:00').toISOString(),
    note: 'from a friend',
    coinData: { identifier: 'bitcoin', count: 1, symbol: 'BTC', totalWorth: 53_000, currentValue: 59_000 },
    profitLoss: { profit: 6_000, profitPercent: (6_000 / 53_000) * 100, currentValue: 59_000 },
    fee: { count: 0, totalWorth: 0, price: 0, coin: { identifier: 'bitcoin' } },
    transfers: [
      {
        transferType: 'Received',
        items: [
          {
            count: 1,
            totalWorth: 53_000,
            price: 53_000,
            coin: { identifier: 'bitcoin', symbol: 'BTC', isFiat: false },
          },
        ],
      },
    ],
  })
  expect(sold).not.toHaveProperty('note')
  expect(sold).toMatchObject({ profitLoss: { profit: -1_000 }, transfers: [{ transferType: 'Sent' }] })
  expect(euros).toMatchObject({
    coinData: { identifier: 'FiatCoinEUR', totalWorth: 125 },
    transfers: [{ items: [{ coin: { symbol: 'EUR', isFiat: true } }] }],
  })
  expect(euros.coinData.currentValue).toBeCloseTo(100 / 0.9, 9)
})

test('a fill has both sides, and the coin received is its main coin', async () => {
  const [dust, fill] = (await ask(`&portfolioId=${ids.exchange}`)).data
  expect(fill).not.toHaveProperty('id')
  expect(fill).toMatchObject({
    transactionType: 'Buy',
    coinData: { identifier: 'bitcoin', count: 0.1, totalWorth: 5_200, currentValue: 5_900 },
    transfers: [
      { transferType: 'Received', items: [{ coin: { identifier: 'bitcoin' }, count: 0.1, price: 52_000 }] },
      { transferType: 'Sent', items: [{ coin: { identifier: 'tether' }, count: -5_200, price: 1 }] },
    ],
  })
  expect(dust.transactionType).toBe('Dust Convert')
})

test('converts totalWorth at the rate of its instant and currentValue at the current rate', async () => {
  const { data } = await ask(`&portfolioId=${ids.wallet}`, 'EUR')
  expect(data[1].coinData).toEqual({
    identifier: 'ethereum',
    count: 2,
    symbol: 'ETH',
    totalWorth: 3_800 * 0.8,
    currentValue: 4_000 * 0.9,
  })
  expect(data[1].transfers[0].items[0]).toMatchObject({ price: 1_900 * 0.8, fromAddress: address(99) })
})

test('an approval is `Sent` with only a fee, and a spam token is marked as fake', async () => {
  const spam = `${address(66)}_ethereum`
  const other = await api.newAccount()
  const walletId = await world.wallet(address(3), 'ethereum', [])
  await query(
    database.ownerUrl,
    `insert into tokens (network_id, address, symbol, name, decimals, coin_id, spam_reason, source, fetched_at)
     values ('ethereum', $1, 'FREE', 'Free', 18, $2, 'test', 'test', now())`,
    [address(66), spam],
  )
  await insertTransactions(api.owner, {
    walletId,
    transactions: [
      {
        networkId: 'ethereum',
        at: at('03T00:00:00'),
        hash: `0x${'a'.repeat(64)}`,
        feeUsd: 2,
        main: { coinId: spam, symbol: 'FREE', count: '5', valueUsd: null },
      },
      {
        networkId: 'ethereum',
        at: at('02T00:00:00'),
        hash: `0x${'b'.repeat(64)}`,
        type: 'approve',
        main: null,
        feeUsd: 3,
      },
    ],
  })
  await query(
    database.ownerUrl,
    `update wallet_transactions set fragment = (fragment::jsonb || '{"type": "Sent", "transactions": []}')::text
     where type = 'approve'`,
  )
  await world.walletPortfolio(other.accountId, address(3), 'ethereum')
  const { body } = await endpoint(api, { route: getPortfolioTransactions, key: other.key })(
    '/portfolio/transactions?currency=USD',
  )
  const [gift, approval] = body.data
  expect(gift.transfers[0].items[0].coin).toMatchObject({ identifier: spam, isFake: true, symbol: 'FREE' })
  expect(gift.profitLoss).toEqual({ profit: 0, profitPercent: 0, currentValue: 0 })
  expect(approval).toMatchObject({
    transactionType: 'Sent',
    fee: { count: 0.001, totalWorth: 3, price: 3_000 },
  })
  expect(approval).not.toHaveProperty('transfers')
  expect(approval).not.toHaveProperty('coinData')
})

describe('pages', async () => {
  const many = await api.newAccount({ credits: 9_000_000 })
  const mine = endpoint(api, { route: getPortfolioTransactions, key: many.key })
  const read = async (rest: string): Promise<string[]> =>
    (await mine(`/portfolio/transactions?currency=USD${rest}`)).body.data.map(
      (item: any) =>
        `${item.date} ${item.portfolioInfo.name} ${item.coinData.identifier} ${item.coinData.count}`,
    )
  /** All transactions, newest first; those of one instant in any order. */
  let all: string[] = []

  beforeAll(async () => {
    // Some days have many transactions, most none; some instants have several.
    let seed = 7
    const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n
    const instant = () =>
      new Date(at('01T00:00:00').getTime() + random(4) * 2 * 86_400_000 + random(40) * 3_600_000)
    const rows = (n: number) => Array.from({ length: n }, (_, index) => ({ at: instant(), n: index + 1 }))
    const coin = (n: number) => (n % 3 === 0 ? 'bitcoin' : 'ethereum')
    await world.wallet(
      address(10),
      'ethereum',
      rows(60).map(({ at, n }) => ({ at, coinId: coin(n), amount: n, priceUsd: 1 })),
    )
    await world.walletPortfolio(many.accountId, address(10), 'ethereum', 'w')
    await world.exchangePortfolio(
      many.accountId,
      // Both assets are ETH, but the fill counts as one transaction.
      rows(50).map(({ at, n }) => ['fill', at, 'ETH', n, ['LDETH', -n]]),
    )
    await world.manualPortfolio(
      many.accountId,
      rows(40).map(({ at, n }) => ({ at, coinId: coin(n), count: n, priceUsd: 1 })),
      { name: 'm' },
    )
    all = (await Promise.all([1, 2].map((page) => read(`&limit=100&page=${page}`)))).flat()
  })

  test('of any size return every transaction exactly once', async () => {
    expect(all.length).toBe(150)
    expect(new Set(all).size).toBe(150)
    expect(all.map((one) => one.slice(0, 24))).toEqual(
      all
        .map((one) => one.slice(0, 24))
        .sort()
        .reverse(),
    )
    for (const limit of [13, 50]) {
      const pages: string[] = []
      for (let page = 1; pages.length < 150; page++)
        pages.push(...(await read(`&limit=${limit}&page=${page}`)))
      expect(pages).toEqual(all)
    }
    expect(await read('&page=8')).toEqual(all.slice(140))
    expect(await read('&page=9')).toEqual([])
    expect(await read('&page=2147483647&limit=100')).toEqual([])
  })

  test.each(['bitcoin', 'ethereum', 'tether'])(
    'of one coin return only its transactions: %s',
    async (coinId) => {
      const expected = all.filter((one) => one.split(' ')[2] === coinId)
      const pages: string[] = []
      for (let page = 1; page <= 6; page++)
        pages.push(...(await read(`&limit=40&page=${page}&coinId=${coinId}`)))
      expect(pages).toEqual(expected)
    },
  )

  test.each([
    ['2026-03-01T05:30:00Z', '2026-03-03T10:00:00Z'],
    ['2026-03-03', '2026-03-05'],
    ['2026-03-05T03:00:00Z', '2026-03-05T03:00:00.001Z'],
    ['2026-03-20', '2026-03-21'],
  ])('return only the window from %s to %s', async (from, to) => {
    const [fromText, toText] = [from, to].map((text) => new Date(text).toISOString())
    const expected = all.filter((one) => one.slice(0, 24) >= fromText! && one.slice(0, 24) < toText!)
    const pages: string[] = []
    for (let page = 1; page <= 6; page++)
      pages.push(...(await read(`&limit=30&page=${page}&from=${from}&to=${to}`)))
    expect(pages).toEqual(expected)
    const coinPages = await read(`&limit=100&from=${from}&to=${to}&coinId=bitcoin`)
    expect(coinPages).toEqual(expected.filter((one) => one.includes('bitcoin')))
  })

  test('follow deleted, failed and moved transactions', async () => {
    const run = (text: string) => query(database.ownerUrl, text)
    await run(`delete from manual_transactions where count in (3, 4) and portfolio_id in (
      select id from portfolios where account_id = '${many.accountId}')`)
    await run(`update exchange_transactions set status = 'failed' where amount = 7 and asset = 'ETH'`)
    await run(
      `update exchange_transactions set at = at - interval '2 days', derived = true where amount = 8 and asset = 'ETH'`,
    )
    await run(`delete from exchange_transactions where amount = 10 and asset = 'ETH'`)
    await run(`delete from wallet_transactions where main_count = 9`)
    const counted = await run(
      'select ledger, coin, day::text, rows from transaction_days where rows <> 0 order by 1, 2, 3',
    )
    expect(counted).toEqual(await run(COUNTED_ANEW))
    const pages: string[] = []
    for (let page = 1; page <= 6; page++) pages.push(...(await read(`&limit=30&page=${page}`)))
    expect(pages.length).toBe(145)
    expect(new Set(pages).size).toBe(145)
  })

  test('end before an instant of a day whose transactions all come later', async () => {
    const [newest] = all
    const midnight = new Date(newest!.slice(0, 10))
    const older = all.filter((one) => new Date(one.slice(0, 24)) < midnight)
    const to = new Date(midnight.getTime() + 1).toISOString()
    expect(all.some((one) => one.startsWith(midnight.toISOString()))).toBe(false)
    expect(await read(`&limit=1&to=${to}`)).toEqual(older.slice(0, 1))
  })

  test('that begin after the last transaction of the page before are those by number', async () => {
    await query(
      database.ownerUrl,
      `update exchange_transactions set at = at + interval '1 day' - interval '1 microsecond'
      where connection_id in (select id from portfolios where account_id = $1) and at::time = '00:00'`,
      [many.accountId],
    )
    const portfolios = await readPortfolios(readonly.db, { accountId: many.accountId })
    const asked = { portfolios, currency: 'USD', now: NOW }
    const whole = (await transactionsPage(readonly.db, { ...asked, limit: 1_000 })).data
    expect(whole.length).toBeGreaterThan(100)
    for (const limit of [1, 2, 7, 50]) {
      const pages: typeof whole = []
      let after: Awaited<ReturnType<typeof transactionsPage>>['last']
      do {
        const { data, last } = await transactionsPage(readonly.db, { ...asked, limit, after })
        pages.push(...data)
        after = last
      } while (after)
      expect(pages).toEqual(whole)
    }
  })
})

const COUNTED_ANEW = `
  select ledger, coin, day::text, count(*) as rows from (
    select wallet_id || ':' || network_id as ledger, unnest(array_prepend('', coin_ids)) as coin, at from wallet_transactions
    union all select connection_id::text, '', at from exchange_transactions where status = 'ok'
    union all select connection_id::text, asset, at from exchange_transactions where status = 'ok'
    union all select connection_id::text, quote_asset, at from exchange_transactions
      where status = 'ok' and quote_asset <> asset
    union all select connection_id::text, asset || '/' || quote_asset, at from exchange_transactions
      where status = 'ok' and quote_asset <> asset
    union all select portfolio_id::text, unnest(array['', coin_id]), at from manual_transactions
  ) as listed cross join lateral (select (at at time zone 'UTC')::date as day) as of
  group by 1, 2, 3 order by 1, 2, 3`
