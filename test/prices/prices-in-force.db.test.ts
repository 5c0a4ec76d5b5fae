import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readCurrentPrice, readCurrentPrices, readNewestQuoteAt } from '../../db/prices/read-current-price.ts'
import { bestCoins, readCoinsOfContracts, readTopCoins } from '../../db/prices/read-named-coins.ts'
import {
  pricesAt,
  readCoinRates,
  readFiatRates,
  readPricesAt,
  readPriceSeries,
  readRatesAt,
} from '../../db/prices/read-prices.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'

// Prices and rates in force at an instant, of one coin or currency beside another.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const at = (text: string) => new Date(`2026-03-${text}Z`)
const BEFORE = new Date('2026-02-28T23:59:59Z')

beforeAll(async () => {
  await insertCoin(db, { id: 'bitcoin', symbol: 'btc', rank: 1, priceUsd: '50', at: at('05T12:00:00') })
  await insertCoin(db, { id: 'ethereum', symbol: 'eth', rank: 2, priceUsd: '4', at: at('06T12:00:00') })
  await insertPrices(db, {
    coinId: 'bitcoin',
    resolution: 'day',
    points: [
      [at('01T00:00:00'), '10'],
      [at('02T00:00:00'), '20'],
      [at('03T00:00:00'), '25'],
    ],
  })
  await insertPrices(db, {
    coinId: 'bitcoin',
    resolution: 'hour',
    points: [
      [at('02T00:00:00'), '21'],
      [at('02T01:00:00'), '22'],
    ],
  })
  for (const resolution of ['day', 'hour'] as const)
    await insertPrices(db, { coinId: 'ethereum', resolution, points: [[at('01T00:00:00'), '1']] })
  await insertRates(db, {
    currency: 'EUR',
    rates: [
      [at('01T00:00:00'), '2'],
      [at('03T00:00:00'), '3'],
      [new Date('2026-01-22T00:00:00Z'), '1'],
    ],
  })
  await insertRates(db, { currency: 'CHF', rates: [[new Date('2026-01-22T00:00:00Z'), '7']] })
  await insertRates(db, { currency: 'SEK', rates: [[new Date('2026-01-23T00:00:00Z'), '8']] })
  await insertRates(db, { currency: 'USD', rates: [[at('03T00:00:00'), '1']] })
})

const INSTANTS = [
  BEFORE,
  at('01T00:00:00'),
  at('02T00:00:00'),
  at('02T00:59:59'),
  at('02T01:00:00'),
  at('03T00:00:00'),
]

test('the later of the daily and the hourly point is in force, of both at once the daily one', async () => {
  const cells = INSTANTS.map((instant) => ({ coinId: 'bitcoin', atMs: instant.getTime() }))
  const other = { coinId: 'ethereum', atMs: at('02T01:00:00').getTime() }
  const client = await pool.connect()
  const found = await pricesAt(client, [...cells, other]).finally(() => client.release())
  expect(found.map((price) => price?.usd ?? null)).toEqual([null, '10', '20', '20', '22', '25', '1'])
  expect(found[3]!.at).toEqual(at('02T00:00:00'))
})

test('the quote is in force from its instant on', async () => {
  const read = (...instants: Date[]) => readPricesAt(reader.db, { coinId: 'bitcoin', instants })
  const asc = await read(BEFORE, at('01T00:00:00'), at('02T01:00:00'), at('05T11:59:59'), at('05T12:00:00'))
  expect(asc).toEqual([null, '10', '22', '25', '50'])
  expect(await read(at('05T12:00:00'), BEFORE)).toEqual(['50', null])
})

test('a series has the points of the window and the last one before it', async () => {
  const series = async (from: Date | null, to: Date, coinIds = ['bitcoin', 'unknown']) => {
    const found = await readPriceSeries(reader.db, { coinIds, resolution: 'day', from, to })
    return [...found].map(([coinId, points]) => [coinId, ...points.map(({ usd }) => usd)])
  }
  expect(await series(null, at('02T00:00:00'))).toEqual([['bitcoin', '10', '20']])
  expect(await series(at('02T00:00:00'), at('03T00:00:00'))).toEqual([['bitcoin', '10', '20', '25']])
  expect(await series(at('02T00:00:01'), at('02T23:59:59'))).toEqual([['bitcoin', '20']])
  expect(await series(null, at('01T00:00:00'), ['ethereum'])).toEqual([['ethereum', '1']])
  const hours = await readPriceSeries(reader.db, {
    coinIds: ['bitcoin'],
    resolution: 'hour',
    from: null,
    to: at('09T00:00:00'),
  })
  expect(hours.get('bitcoin')).toEqual([
    { atMs: at('02T00:00:00').getTime(), usd: '21' },
    { atMs: at('02T01:00:00').getTime(), usd: '22' },
  ])
})

test('current rates: one of each currency whose newest is at most 40 days older than the newest of all', async () => {
  const rates = await readFiatRates(reader.db)
  expect(rates.map(({ currency, perUsd }) => [currency, perUsd])).toEqual([
    ['EUR', '3'],
    ['SEK', '8'],
  ])
  expect((await readCoinRates(reader.db)).map(({ currency, perUsd }) => [currency, Number(perUsd)])).toEqual([
    ['BTC', 0.02],
    ['ETH', 0.25],
  ])
})

test('rates at instants: the last one, before the first that one; none of a currency without current rates', async () => {
  const read = async (currency: string, ...instants: Date[]) =>
    (await readRatesAt(reader.db, { currency, instants }))?.map(Number) ?? null
  const first = new Date('2026-01-01T00:00:00Z')
  expect(await read('EUR', first, BEFORE, at('01T00:00:00'), at('02T23:59:59'), at('03T00:00:00'))).toEqual([
    1, 1, 2, 2, 3,
  ])
  expect(await read('USD', first, BEFORE)).toEqual([1, 1])
  expect(await read('CHF', at('03T00:00:00'))).toBeNull()
  expect(await read('XXX', at('03T00:00:00'))).toBeNull()
  expect(await read('BTC', first, at('01T00:00:00'), at('03T00:00:00'))).toEqual([0.1, 0.1, 0.04])
  // Only instants before the first price are asked for.
  expect(await read('BTC', first)).toEqual([0.1])
  expect(await read('constructor', first)).toBeNull()
})

test('coins by name: that with the id, and the best ranked one with the symbol', async () => {
  const contract = (address: string) => [{ blockchain: 'ethereum', address, decimals: 18 }]
  await insertCoin(db, { id: 'second', symbol: 'ABC', rank: 8, at: BEFORE, contracts: contract('0xAB') })
  await insertCoin(db, {
    id: 'first',
    symbol: 'abc',
    rank: 7,
    at: BEFORE,
    contracts: [{ blockchain: 'base', address: '0xab', decimals: 18 }],
  })
  await insertCoin(db, { id: 'abc', symbol: 'abc', at: BEFORE, contracts: contract('0xcd') })
  const { byId, bySymbol } = await bestCoins(reader.db, ['abc', 'bitcoin', 'nobody'])
  expect([...byId].map(([key, { id }]) => [key, id]).sort((a, b) => (a[0]! < b[0]! ? -1 : 1))).toEqual([
    ['abc', 'abc'],
    ['bitcoin', 'bitcoin'],
  ])
  expect([...bySymbol].map(([key, { id }]) => [key, id])).toEqual([['ABC', 'first']])
  expect((await readTopCoins(reader.db, 3)).map(({ id }) => id)).toEqual(['bitcoin', 'ethereum', 'first'])
  expect((await readTopCoins(reader.db, 9)).map(({ id }) => id)).not.toContain('abc')
  const ofContracts = await readCoinsOfContracts(reader.db, ['0xab', '0xcd', '0xef'])
  expect([...ofContracts].map(([address, { id }]) => [address, id])).toEqual([
    ['0xab', 'first'],
    ['0xcd', 'abc'],
  ])
})

test('current prices: of the coins that are asked for, and the newest quote of all', async () => {
  expect(await readCurrentPrice(reader.db, 'ethereum')).toEqual({ priceUsd: '4', at: at('06T12:00:00') })
  expect(await readCurrentPrice(reader.db, 'abc')).toBeUndefined()
  expect([...(await readCurrentPrices(reader.db, ['bitcoin', 'abc']))]).toEqual([
    ['bitcoin', { priceUsd: '50', at: at('05T12:00:00') }],
  ])
  expect(await readNewestQuoteAt(reader.db)).toEqual(at('06T12:00:00'))
})
