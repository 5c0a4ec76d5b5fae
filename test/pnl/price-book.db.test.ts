import { afterAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { currencyRates, fiatRates, firstPrices, loadPriceBook } from '../../db/pnl/valuation/price-book.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import { testDatabase } from '../setup/database.ts'

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const { db } = connection
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([connection.close(), api.close()]))

const HOUR_MS = 3_600_000
const msOf = (at: string) => Date.parse(`2026-01-${at}Z`)

const at = (time: string) => new Date(msOf(time))
const pointsOf = (points: Record<string, string>) =>
  Object.entries(points).map(([time, usd]) => [at(time), usd] as const)
for (const id of ['one', 'other', 'without']) await insertCoin(db, { id, at: at('01T00:00') })
for (const [coinId, resolution, points] of [
  ['one', 'day', { '02T00:00': '2', '03T00:00': '3' }],
  ['one', 'hour', { '02T00:00': '2.5', '02T10:00': '2.1', '02T12:00': '2.2' }],
  ['other', 'day', { '02T00:00': '60' }],
  ['other', 'hour', { '01T05:00': '50', '02T11:00': '61' }],
] as const)
  await insertPrices(db, { coinId, resolution, points: pointsOf(points) })
const [euro, yen] = [
  { '05T00:00': '0.5', '07T00:00': '0.7', '09T00:00': '0.9' },
  { '01T00:00': '100', '30T00:00': '130' },
]
await insertRates(db, { currency: 'EUR', rates: pointsOf(euro) })
await insertRates(db, { currency: 'JPY', rates: pointsOf(yen) })

const load = (from: string, to: string, coinIds = ['one', 'other', 'without']) =>
  loadPriceBook({ db, coinIds, fromMs: msOf(from), toMs: msOf(to) })

test('the first price of a coin is the earliest, of a day or an hour, and the daily one of two', async () => {
  const found = await firstPrices(db, ['one', 'other', 'without', 'FiatCoinEUR'])
  const shown = [...found].map(([coinId, { atMs, usd }]) => [coinId, [atMs, formatDecimal(usd)]])
  expect(Object.fromEntries(shown)).toEqual({
    FiatCoinEUR: [msOf('05T00:00'), '2'],
    one: [msOf('02T00:00'), '2'],
    other: [msOf('01T05:00'), '50'],
  })
  expect(await firstPrices(db, [])).toEqual(new Map())
  expect((await firstPrices(db, ['FiatCoinJPY'])).size).toBe(1)
})

test('a price book has the prices of its coins in force in its time, and those from before it', async () => {
  const book = await load('02T10:30', '02T12:00')
  const shown = (coinId: string, time: string) => {
    const price = book.at(coinId, msOf(time))
    return price && formatDecimal(price)
  }
  expect([shown('one', '02T10:30'), shown('one', '02T11:59'), shown('one', '02T12:00')]).toEqual([
    '2.1',
    '2.1',
    '2.2',
  ])
  expect([shown('other', '02T10:30'), shown('other', '02T10:59'), shown('other', '02T11:00')]).toEqual([
    '60',
    '60',
    '61',
  ])
  expect(shown('without', '02T12:00')).toBeNull()
  // Later ones are not loaded.
  expect([shown('one', '03T00:00'), shown('other', '03T00:00')]).toEqual(['2.2', '61'])
  expect((await load('02T10:30', '02T12:00', ['other'])).at('one', msOf('02T12:00'))).toBeNull()
})

test('of two prices of an instant a price book has the daily one', async () => {
  const book = await load('01T23:00', '02T01:00')
  expect(formatDecimal(book.at('one', msOf('02T00:00'))!)).toBe('2')
  expect(book.pointAt('one', msOf('02T00:00') + HOUR_MS)).toMatchObject({ atMs: msOf('02T00:00') })
  expect(book.at('one', msOf('02T00:00') - 1)).toBeNull()
})

test('days and hours of a coin, and rates of a currency, are in the order of time', async () => {
  const book = await load('01T23:00', '07T13:00', ['one', 'FiatCoinEUR'])
  const times = ['02T05:00', '02T10:30', '02T12:30', '03T05:00']
  expect(times.map((time) => formatDecimal(book.at('one', msOf(time))!))).toEqual(['2', '2.1', '2.2', '3'])
  expect(formatDecimal(book.at('FiatCoinEUR', msOf('06T00:00'))!)).toBe('2')
})

test.each([
  ['before the first', '01T00:00', '02T00:00', ['02T00:00', '0.5']],
  ['from before the first on', '01T00:00', '06T00:00', ['05T00:00', '0.5']],
  ['at a rate', '07T00:00', '07T00:00', ['07T00:00', '0.7']],
  ['between rates', '06T00:00', '08T00:00', ['06T00:00', '0.5']],
  ['between rates, later', '06T00:00', '08T00:00', ['08T00:00', '0.7']],
  ['after the last', '20T00:00', '21T00:00', ['20T00:00', '0.9']],
])(
  'a currency has its own rate in force, carried on, and the first one before it: %s',
  async (_, from, to, [time, rate]) => {
    const range = { db: api.db, fromMs: msOf(from), toMs: msOf(to) }
    const rateAt = await fiatRates({ ...range, currency: 'EUR' })
    expect(formatDecimal(rateAt!(msOf(time!)).usd)).toBe(rate)
    const inCurrency = await currencyRates({ ...range, currency: 'EUR' })
    const money = { usd: decimal('10'), btc: decimal('1'), eth: decimal('3') }
    expect(Number(formatDecimal(inCurrency!(money, msOf(time!))))).toBe(10 * Number(rate))
  },
)

test('the first rate of a currency is in force before it, whichever others have earlier or later ones', async () => {
  const range = { db: api.db, fromMs: msOf('01T00:00') - 1, toMs: msOf('02T00:00') }
  const rates = await Promise.all(['JPY', 'EUR'].map((currency) => fiatRates({ ...range, currency })))
  expect(rates.map((rateAt) => formatDecimal(rateAt!(range.fromMs).usd))).toEqual(['100', '0.5'])
})

test('rates of a window are those that hold in it', async () => {
  const rateAt = await fiatRates({
    db: api.db,
    currency: 'EUR',
    fromMs: msOf('06T00:00'),
    toMs: msOf('08T00:00'),
  })
  expect(formatDecimal(rateAt!(msOf('20T00:00')).usd)).toBe('0.7')
  const later = await fiatRates({
    db: api.db,
    currency: 'EUR',
    fromMs: msOf('08T00:00'),
    toMs: msOf('20T00:00'),
  })
  expect(formatDecimal(later!(msOf('01T00:00')).usd)).toBe('0.7')
})

test('amounts are in the unit that is asked for, and a currency without rates has none', async () => {
  const range = { db: api.db, fromMs: msOf('01T00:00'), toMs: msOf('02T00:00') }
  const money = { usd: decimal('10'), btc: decimal('1'), eth: decimal('3') }
  for (const [currency, amount] of [
    ['USD', '10'],
    ['BTC', '1'],
    ['ETH', '3'],
  ] as const)
    expect(formatDecimal((await currencyRates({ ...range, currency }))!(money, range.fromMs))).toBe(amount)
  expect(await currencyRates({ ...range, currency: 'CHF' })).toBeNull()
  expect(await fiatRates({ ...range, currency: 'CHF' })).toBeNull()
})
