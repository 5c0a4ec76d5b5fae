import { expect, test } from 'vitest'
import { getCurrencies } from '../../api/prices/get-currencies.ts'
import { getFiats } from '../../api/prices/get-fiats.ts'
import { getMarkets } from '../../api/prices/get-markets.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin, insertMarketTotals, insertRates } from '../setup/factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const markets = endpoint(api, { route: getMarkets, key })
const fiats = endpoint(api, { route: getFiats, key })
const currencies = endpoint(api, { route: getCurrencies, key })
const at = (text: string) => new Date(text)

test('GET /markets returns 503 without data, then totals with changes over 24 hours', async () => {
  expect(await refusal(await api.get('/markets', key))).toEqual([
    503,
    'Service Unavailable. Please Contact Support',
  ])
  const totals = (time: string, [cap, volume, share]: [string, string, string]) =>
    insertMarketTotals(api.owner, {
      at: at(time),
      marketCapUsd: cap,
      volume24hUsd: volume,
      btcDominance: share,
    })
  await totals('2026-03-10T12:00:00Z', ['2000', '90', '52.5'])
  const first = await markets('/markets')
  expect(first.body).toEqual({
    marketCap: 2e3,
    volume: 90,
    btcDominance: 52.5,
    marketCapChange: 0,
    volumeChange: 0,
    btcDominanceChange: 0,
  })
  // The source's own changes are used until totals of the day before are stored.
  await api.owner
    .updateTable('market_totals')
    .set({ market_cap_change: '-1.5', volume_change: '2.5', btc_dominance_change: '0.25' })
    .execute()
  const said = { marketCapChange: -1.5, volumeChange: 2.5, btcDominanceChange: 0.25 }
  expect((await markets('/markets')).body).toMatchObject(said)
  await totals('2026-03-09T09:59:59Z', ['7', '7', '7'])
  expect((await markets('/markets')).body).toMatchObject(said)
  await totals('2026-03-09T12:00:00Z', ['1600', '100', '52.2'])
  await totals('2026-03-09T12:00:01Z', ['1', '1', '1'])
  const { body, headers, credits } = await markets('/markets')
  expect(body).toMatchObject({ marketCapChange: 25, volumeChange: -10, btcDominanceChange: 0.3 })
  expect(headers.get('x-data-as-of')).toBe('2026-03-10T12:00:00.000Z')
  expect(credits).toBe(1)
})

test('GET /fiats and /currencies list the newest rate of each currency, USD first', async () => {
  expect((await currencies('/currencies')).body).toEqual({ result: { USD: 1 }, as_of: {} })
  await insertRates(api.owner, {
    currency: 'JPY',
    rates: [[at('2026-03-09T00:00:00Z'), '150.5']],
  })
  await insertRates(api.owner, {
    currency: 'EUR',
    rates: [
      [at('2026-03-08T00:00:00Z'), '0.5'],
      [at('2026-03-10T00:00:00Z'), '0.92'],
    ],
  })
  await insertCoin(api.owner, { id: 'bitcoin', priceUsd: '80000', at: at('2026-03-10T00:00:00Z') })
  const { body, headers, credits } = await fiats('/fiats')
  expect(body).toEqual([
    { name: 'USD', rate: 1, symbol: '$', imageUrl: 'https://flagcdn.com/us.svg' },
    { name: 'EUR', rate: 0.92, symbol: '€', imageUrl: 'https://flagcdn.com/eu.svg' },
    { name: 'JPY', rate: 150.5, symbol: '¥', imageUrl: 'https://flagcdn.com/jp.svg' },
  ])
  expect(headers.get('x-data-as-of')).toBe('2026-03-09T00:00:00.000Z')
  expect(credits).toBe(1)
  expect((await currencies('/currencies')).body).toEqual({
    result: { USD: 1, BTC: 0.0000125, EUR: 0.92, JPY: 150.5 },
    as_of: {
      BTC: '2026-03-10T00:00:00.000Z',
      EUR: '2026-03-10T00:00:00.000Z',
      JPY: '2026-03-09T00:00:00.000Z',
    },
  })
})

test('a discontinued currency is not listed and not accepted', async () => {
  await insertRates(api.owner, { currency: 'BGN', rates: [[at('2026-01-20T00:00:00Z'), '1.7']] })
  expect((await currencies('/currencies')).body.result).not.toHaveProperty('BGN')
  const { body } = await fiats('/fiats')
  expect(body.map(({ name }: { name: string }) => name)).not.toContain('BGN')
  expect(await refusal(await api.get('/coins?currency=BGN', key))).toEqual([
    400,
    'Invalid parameter: currency',
  ])
})

test('accepts every listed currency and no other', async () => {
  const { body } = await currencies('/currencies')
  for (const currency of Object.keys(body.result))
    expect((await api.get(`/coins?currency=${currency}`, key)).status).toBe(200)
  expect((await api.get('/coins?currency=ETH', key)).status).toBe(400)
})
