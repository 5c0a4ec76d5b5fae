import { beforeAll, expect, test } from 'vitest'
import { getCurrencies } from '../../api/prices/get-currencies.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import {
  address,
  hash,
  insertBalance,
  insertMovement,
  insertTransactions,
  insertWallet,
} from '../setup/wallet-factories.ts'

const NOW = new Date('2026-03-10T12:30:00Z')
const at = (text: string) => new Date(text)
const BOUGHT = at('2026-02-02T10:00:00Z')

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const { key } = await api.newAccount()
const WALLET = address(7)

/** Every endpoint with a parameter `currency`, with a valid request. */
const paths: Record<string, (currency: string) => string> = {
  '/coins': (currency) => `/coins?currency=${currency}`,
  '/coins/{coinId}': (currency) => `/coins/bitcoin?currency=${currency}`,
  '/wallet/transactions': (currency) =>
    `/wallet/transactions?address=${WALLET}&connectionId=ethereum&currency=${currency}`,
  '/wallet/pl/history': (currency) =>
    `/wallet/pl/history?address=${WALLET}&connectionId=ethereum&interval=daily&from=2026-02-01&to=2026-03-01&currency=${currency}`,
}

beforeAll(async () => {
  const db = api.owner
  await insertCoin(db, { id: 'bitcoin', symbol: 'btc', priceUsd: '80000', at: NOW })
  await insertCoin(db, { id: 'ethereum', symbol: 'eth', priceUsd: '2000', at: NOW })
  const days = (level: number) =>
    Array.from(
      { length: 60 },
      (_, n) => [new Date(at('2026-01-10').getTime() + n * 86_400_000), String(level)] as const,
    )
  await insertPrices(db, { coinId: 'bitcoin', resolution: 'day', points: days(80_000) })
  await insertPrices(db, { coinId: 'ethereum', resolution: 'day', points: days(2_000) })
  await insertRates(db, {
    currency: 'EUR',
    // Friday's rate is carried over the weekend to the purchase on Monday, before the next rate on Tuesday.
    rates: [
      [at('2026-01-30'), '0.8'],
      [at('2026-02-03'), '0.9'],
      [at('2026-03-09'), '0.5'],
    ],
  })
  await insertRates(db, { currency: 'JPY', rates: [[at('2026-03-09'), '150']] })
  await insertRates(db, { currency: 'HRK', rates: [[at('2026-01-20'), '7']] })
  const walletId = await insertWallet(db, { address: WALLET, syncs: { ethereum: NOW } })
  const movement = { coinId: 'ethereum', raw: '1000000000000000000', at: BOUGHT, hash: hash(1) }
  await insertMovement(db, { walletId, networkId: 'ethereum', priceUsd: '2000', ...movement })
  await insertBalance(db, { walletId, networkId: 'ethereum', coinId: 'ethereum', raw: movement.raw, at: NOW })
  await insertTransactions(db, {
    walletId,
    transactions: [
      {
        networkId: 'ethereum',
        at: BOUGHT,
        hash: hash(1),
        main: { coinId: 'ethereum', symbol: 'ETH', count: '1', valueUsd: '2000' },
      },
    ],
  })
})

test('every endpoint accepts each listed currency and rejects discontinued ones', async () => {
  const { body } = await endpoint(api, { route: getCurrencies, key })('/currencies')
  expect(Object.keys(body.result)).toEqual(['USD', 'BTC', 'ETH', 'EUR', 'JPY'])
  for (const [name, path] of Object.entries(paths)) {
    for (const currency of [...Object.keys(body.result), 'eur'])
      expect([name, currency, (await api.get(path(currency), key)).status]).toEqual([name, currency, 200])
    for (const currency of ['HRK', 'XXX', ''])
      expect([name, currency, (await api.get(path(currency), key)).status]).toEqual([name, currency, 400])
  }
})

test('converts past values at the rate of their day and current values at the current rate', async () => {
  const answer = async (path: string) => (await (await api.get(path, key)).json()) as { result: any[] }
  const [transaction] = (await answer(paths['/wallet/transactions']!('EUR'))).result
  expect(transaction.transactions[0].items[0].totalWorth).toBe(1_600)
  expect(transaction.coinData.currentValue).toBe(1_000)
  const { result } = await answer(paths['/coins']!('EUR'))
  expect(result[0].price).toBe(40_000)
})
