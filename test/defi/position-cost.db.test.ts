import { afterAll, beforeAll, expect, test } from 'vitest'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { getWalletPl } from '../../api/chain/get-pl.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import {
  DEPOSIT,
  ETHER,
  funded,
  insertInvestor,
  insertTether,
  type Investor,
  supplied,
  TETHER,
} from './investor.ts'

// USDT of a wallet goes into a vault, whose shares have no market price. ETH is 2,000 USD throughout, BTC 52,000 on the
// third of March and 59,000 now.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(() => ingest.close())
const { compute } = portfolioWorld(database, { db: api.owner }, ingest)
const { key } = await api.newAccount({ plan: 'pro', credits: 9_000_000 })
const defi = endpoint(api, { route: getWalletDefi, key })
const pl = endpoint(api, { route: getWalletPl, key })

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, ['ethereum'])
  await insertTether(database.ownerUrl)
})

let wallets = 0

/** Answers for the position of a new investor, and for the shares that it stands for. */
async function investor(given: Omit<Investor, 'index'>) {
  const { wallet, shareCoinId } = await insertInvestor(
    { owner: api.owner, pool: ingest.pool, compute },
    { index: ++wallets, ...given },
  )
  const { body } = await defi(`/wallet/defi?address=${wallet}&connectionId=ethereum`)
  const figures = await pl(`/wallet/pl?address=${wallet}&connectionId=ethereum`)
  return {
    investment: body.protocols[0].investments[0],
    share: figures.body.result.find(({ coin }: any) => coin.identifier === shareCoinId),
  }
}

test('a position costs what the wallet paid for its shares, in each unit at the rate of that time', async () => {
  const { investment, share } = await investor({
    transactions: [funded('02'), DEPOSIT],
    assets: [supplied(546n)],
  })
  expect(investment.value.USD).toBe(546)
  expect(investment.totalCost).toEqual({ USD: 520, BTC: 0.01, ETH: 0.26 })
  expect(investment.totalCost).toEqual(share.totalCost)
  expect(investment.profit.USD).toBe(26)
  expect(investment.profit.BTC).toBeCloseTo(546 / 59_000 - 0.01, 15)
  expect(investment.profit.ETH).toBeCloseTo(0.013, 15)
  expect(investment.profitPercent.USD).toBe(5)
  expect(investment.profitPercent.BTC).toBeLessThan(0)
})

test('what was redeemed takes its part of the cost along', async () => {
  const redeemed = [at('05T06:00:00'), { share: -125n, tether: 140n }] as const
  const { investment, share } = await investor({
    transactions: [funded('02'), DEPOSIT, redeemed],
    assets: [supplied(400n)],
  })
  expect(investment).toMatchObject({ totalCost: { USD: 390 }, profit: { USD: 10 } })
  expect(investment.totalCost).toEqual(share.totalCost)
})

test('rewards that wait beside the shares are profit', async () => {
  const { investment } = await investor({
    transactions: [funded('02'), DEPOSIT],
    assets: [supplied(520n), { ...supplied(13n), role: 'unclaimed' }],
  })
  expect(investment).toMatchObject({
    value: { USD: 533 },
    totalCost: { USD: 520 },
    profit: { USD: 13 },
    profitPercent: { USD: 2.5 },
  })
})

test.each<[string, Parameters<typeof investor>[0]]>([
  [
    'a part of the shares came from elsewhere',
    {
      transactions: [funded('02'), DEPOSIT, [at('04T06:00:00'), { share: 1n }]],
      assets: [supplied(546n)],
    },
  ],
  [
    'the balance is newer than profit and loss',
    { transactions: [funded('02'), DEPOSIT], assets: [supplied(546n)], held: 501n * ETHER },
  ],
  [
    'other shares are staked elsewhere',
    {
      transactions: [funded('02'), DEPOSIT],
      assets: [supplied(300n), { ...supplied(246n), role: 'staked' }],
    },
  ],
  [
    'the position owes something',
    { transactions: [funded('02'), DEPOSIT], assets: [{ role: 'borrowed', token: TETHER, raw: ETHER }] },
  ],
  ['no share is left', { transactions: [funded('02')], assets: [supplied(546n)] }],
])('a position has a value and no cost when %s', async (_reason, given) => {
  const { investment } = await investor(given)
  expect(investment).toHaveProperty('value')
  for (const field of ['totalCost', 'profit', 'profitPercent']) expect(investment).not.toHaveProperty(field)
})
