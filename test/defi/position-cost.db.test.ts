import { afterAll, beforeAll, expect, test } from 'vitest'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { getWalletPl } from '../../api/chain/get-pl.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { type DefiReadToWrite, writeDefiRead } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { insertMovements, type TestMovement } from '../pnl/world.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash, insertBalance, insertWallet } from '../setup/wallet-factories.ts'

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
})

type Position = DefiReadToWrite['positions'][number]
const ETHER = 10n ** 18n
const funded = (day: string) => [at(`${day}T06:00:00`), { tether: 1_000n }] as const
const DEPOSIT = [at('03T06:00:00'), { tether: -520n, share: 500n }] as const
let wallets = 0

/**
 * A wallet with transactions, computed, and a position of the vault. `share` in a transaction is the vault's token.
 * `held`: its balance, if that is not what the transactions leave.
 */
async function investor(given: {
  transactions: readonly (readonly [Date, Readonly<Record<string, bigint>>])[]
  assets: Position['assets']
  held?: bigint
}) {
  const owner = address(++wallets)
  const vault = address(1_000 + wallets)
  const coinOf = (name: string) => (name === 'share' ? `${vault}_ethereum` : name)
  const walletId = await insertWallet(api.owner, { address: owner, syncs: { ethereum: NOW } })
  const movements = given.transactions.flatMap(([time, amounts], index) =>
    Object.entries(amounts).map(([name, amount], seq): TestMovement => ({
      walletId,
      networkId: 'ethereum',
      atMs: time.getTime(),
      txHash: hash(wallets * 100 + index),
      seq,
      role: Object.keys(amounts).length > 1 ? 'trade' : 'transfer',
      coinId: coinOf(name),
      raw: amount * ETHER,
      priceUsd: name === 'share' ? null : '1',
    })),
  )
  await insertMovements(ingest.pool, movements)
  const left = movements
    .filter(({ coinId }) => coinId === coinOf('share'))
    .reduce((sum, { raw }) => sum + raw, 0n)
  await insertBalance(api.owner, {
    walletId,
    networkId: 'ethereum',
    coinId: coinOf('share'),
    raw: String(given.held ?? left),
    token: { address: vault, symbol: 'vUSDT' },
    at: NOW,
  })
  await compute({ walletId, networkId: 'ethereum' })
  const read: DefiReadToWrite = {
    walletId,
    networkId: 'ethereum',
    block: { number: 7, hash: hash(7), at: NOW },
    source: 'test',
    fetchedAt: NOW,
    answered: ['yearn-v3'],
    unknown: [],
    failure: null,
    positions: [
      {
        protocolId: 'yearn-v3',
        id: vault,
        name: 'Vault',
        poolAddress: vault,
        healthRate: null,
        unlockAt: null,
        endAt: null,
        assets: given.assets,
      },
    ],
  }
  await transact(ingest.pool, ({ client }) => writeDefiRead(client, read))
  const { body } = await defi(`/wallet/defi?address=${owner}&connectionId=ethereum`)
  const figures = await pl(`/wallet/pl?address=${owner}&connectionId=ethereum`)
  return {
    investment: body.protocols[0].investments[0],
    share: figures.body.result.find(({ coin }: any) => coin.identifier === coinOf('share')),
  }
}

/** What the vault would pay for the shares. */
const supplied = (usd: bigint): Position['assets'][number] => ({
  role: 'supplied',
  token: TETHER,
  raw: usd * ETHER,
})
const TETHER = address(0xaaa)
beforeAll(() =>
  query(
    database.ownerUrl,
    `insert into tokens (network_id, address, symbol, name, decimals, coin_id, source, fetched_at)
     values ('ethereum', $1, 'USDT', 'Tether', 18, 'tether', 'test', now())`,
    [TETHER],
  ),
)

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
