import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getPortfolioCoins } from '../../api/portfolios/get-coins.ts'
import { getPortfolioExplain } from '../../api/portfolios/get-explain.ts'
import { getPortfolioPlHistory } from '../../api/portfolios/get-pl-history.ts'
import { routes } from '../../api/routes.ts'
import { getWalletExplain } from '../../api/chain/get-explain.ts'
import { getWalletPl } from '../../api/chain/get-pl.ts'
import { getPlHistory } from '../../api/chain/get-pl-history.ts'
import { openDb } from '../../db/connect.ts'
import { createKey } from '../../db/metering/write.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { DAYS, event, legsOf, MARKET, NOW_MS, START_MS } from '../pnl/account-events.ts'
import { createAccount, HOLDERS } from '../pnl/account-world.ts'
import { insertMarket } from '../pnl/world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertRates } from '../setup/factories.ts'
import { atLeast, runs } from '../setup/runs.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { expectCoin, expectEntries } from './explain-coin-sums.ts'
import { expectPoint } from './explain-sums.ts'

// On random histories every explanation adds up to its figure, to the last digit.

const RUNS = runs({ short: 2, long: 1_000 })
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => new Date(NOW_MS) } })
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const { pool } = connection
afterAll(() => connection.close())

beforeAll(async () => {
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  const rates = Array.from({ length: DAYS }, (_, n) => {
    const rateAt = new Date(START_MS + n * DAY_MS)
    return [rateAt, `0.${8_000 + ((n * 7_919) % 1_999)}`] as const
  })
  await insertRates(api.owner, { currency: 'EUR', rates })
  await insertRates(api.owner, {
    currency: 'JPY',
    rates: rates.map(([at, rate]) => [at, `1${rate.slice(3)}`]),
  })
  // Of some coins the newest quote is later than the last stored price.
  await insertMarket(connection, MARKET, (id) =>
    id === 'usd-coin' ? { at: MARKET.from } : { priceUsd: '777.77', at: new Date(NOW_MS - 10 * 60_000) },
  )
})

let accounts = 0

/** An account with synced portfolios, and its key. */
async function randomAccount(items: Parameters<typeof legsOf>[0], methods: readonly CostMethod[]) {
  const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
  const { accountId } = account
  for (const [index, holder] of HOLDERS.entries()) await account.follow(holder, methods[index])
  await pool.query('update accounts set cost_method = $2, requests_per_second = 100000 where id = $1', [
    accountId,
    methods.at(-1),
  ])
  await account.store(legsOf(items))
  await account.compute()
  await account.markSynced()
  const { key } = await createKey(api.owner, { accountId, name: 'test' })
  const address = `0x${accounts.toString(16).padStart(40, '0')}`
  return { ...account, key, address, items }
}

const iso = (ms: number) => new Date(ms).toISOString()
const window = fc.oneof(
  fc.constantFrom('interval=weekly&range=all', 'interval=monthly&range=all', 'interval=daily&range=1w'),
  fc.constant('interval=hourly&range=24h'),
  fc
    .record({ from: fc.nat(75 * 24 * 60), days: fc.integer({ min: 1, max: 9 }) })
    .map(({ from, days }) => ({ fromMs: START_MS + from * 60_000, days }))
    .map(
      ({ fromMs, days }) =>
        `interval=daily&from=${iso(fromMs)}&to=${iso(fromMs + days * DAY_MS + 12_345_678)}`,
    ),
)
const question = fc.record({
  scope: fc.constantFrom('wallet', 'network', 'account', 'ethereum', 'exchange', 'manual'),
  window,
  flight: fc.option(fc.nat(100), { freq: 2 }),
  currency: fc.constantFrom('USD', 'EUR', 'JPY', 'BTC', 'ETH'),
})

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never
type Account = Awaited<ReturnType<typeof randomAccount>>
const seen = {
  points: 0,
  flows: 0,
  positions: 0,
  rows: 0,
  entries: 0,
  lots: 0,
  months: 0,
  kinds: new Set<string>(),
}

/** Checks points of the history of a ledger, a wallet or an account, also while transfers are under way. */
async function checkPoints({ key, address, ids, items }: Account, questions: Question[]): Promise<void> {
  const travelling = items.filter(
    ({ kind, travelMs, holder, there }) => kind === 'move' && travelMs > 2 * HOUR_MS && holder !== there,
  )
  for (const { scope: place, window: any, flight, currency } of questions) {
    const move = flight === null ? undefined : travelling[flight % travelling.length]
    const scope = move ? 'account' : place
    const leftMs = move && START_MS + (move.minute + 60) * 60_000
    const asked = leftMs ? `interval=daily&from=${iso(leftMs)}&to=${iso(leftMs + 2 * DAY_MS)}` : any
    const isWallet = scope === 'wallet' || scope === 'network'
    const which = isWallet
      ? `address=${address}&connectionId=${scope === 'wallet' ? 'all' : 'ethereum'}`
      : scope === 'account'
        ? ''
        : `portfolioId=${ids[scope as keyof typeof ids]}`
    const path = isWallet ? '/wallet' : '/portfolio'
    const of = `${which}&${asked}&currency=${currency}`.replace(/^&/, '')
    const history = endpoint(api, { route: isWallet ? getPlHistory : getPortfolioPlHistory, key })
    const explain = endpoint(api, { route: isWallet ? getWalletExplain : getPortfolioExplain, key })
    const { body } = await history(`${path}/pl/history?${of}`)
    for (const point of body.result.slice(0, 3)) {
      const { body: explained } = await explain(`${path}/explain?${of}&date=${point.date}&limit=100`)
      expectPoint(explained, point)
      seen.points++
      seen.flows += explained.flows.count
      seen.positions += explained.end.positions.count
    }
  }
}

/** Checks all coin rows of a wallet, an account or one portfolio, with all entries of all their months. */
async function checkCoins({ key, address, ids }: Account, scope: string): Promise<void> {
  const isWallet = scope === 'wallet'
  const list = endpoint(api, { route: isWallet ? getWalletPl : getPortfolioCoins, key })
  const explain = endpoint(api, { route: isWallet ? getWalletExplain : getPortfolioExplain, key })
  const of = isWallet
    ? `address=${address}&connectionId=all`
    : scope === 'account'
      ? 'page=1'
      : `portfolioId=${ids[scope as keyof typeof ids]}`
  const { body } = await list(`${isWallet ? '/wallet/pl' : '/portfolio/coins'}?${of}`)
  for (const row of body.result) {
    const ask = `${isWallet ? '/wallet' : '/portfolio'}/explain?${of}&limit=100&coinId=${row.coin.identifier}`
    const { body: explained } = await explain(ask)
    expectCoin(explained, row)
    seen.rows++
    seen.lots += explained.openLots.USD.count
    for (const month of explained.months.items) {
      const { body: entries } = await explain(`${ask}&month=${month.month}`)
      expectEntries(entries, month)
      seen.months++
      seen.entries += entries.entries.count
      for (const { kind, reason } of entries.entries.items) seen.kinds.add(`${kind} ${reason}`)
    }
  }
}

test('explains points in every currency, and coin rows by every method with all entries of all months', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 20, maxLength: 40, size: 'max' }),
      fc.array(fc.constantFrom(...COST_METHODS), { minLength: 5, maxLength: 5 }),
      fc.array(question, { minLength: 6, maxLength: 6 }),
      fc.subarray(['wallet', 'account', 'ethereum', 'exchange', 'manual'], { minLength: 2, maxLength: 2 }),
      async (items, methods, questions, scopes) => {
        // Some are in the last day, which coin rows show separately.
        const recent = items.map((item, index) =>
          index < 8 ? { ...item, minute: DAYS * 24 * 60 - (item.minute % 1_000) } : item,
        )
        const account = await randomAccount(recent, methods)
        await checkPoints(account, questions)
        for (const scope of scopes) await checkCoins(account, scope)
      },
    ),
    // A run takes long, and shrinking a failure would take longer.
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(seen.points).toBeGreaterThan(RUNS)
  expect(seen.flows).toBeGreaterThanOrEqual(atLeast(RUNS, 1))
  expect(seen.positions).toBeGreaterThan(RUNS)
  expect(seen.rows).toBeGreaterThan(RUNS)
  expect(seen.months).toBeGreaterThan(RUNS)
  expect(seen.entries).toBeGreaterThan(RUNS)
  expect(seen.lots).toBeGreaterThanOrEqual(atLeast(RUNS, 1))
  expect([...seen.kinds]).toEqual(expect.arrayContaining(['acquire receipt']))
})
