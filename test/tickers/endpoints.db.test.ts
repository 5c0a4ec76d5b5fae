import { beforeAll, describe, expect, test } from 'vitest'
import { getPriceExchange } from '../../api/prices/get-price-exchange.ts'
import { routes } from '../../api/routes.ts'
import { getExchanges } from '../../api/tickers/get-exchanges.ts'
import { getTickerMarkets } from '../../api/tickers/get-markets.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'

const NOW = new Date('2026-03-10T12:30:00Z')
const at = (text: string) => new Date(text)
const seconds = (text: string) => at(text).getTime() / 1_000

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const { key } = await api.newAccount()
const exchanges = endpoint(api, { route: getExchanges, key })
const markets = endpoint(api, { route: getTickerMarkets, key })
const price = endpoint(api, { route: getPriceExchange, key })

type Pair = [exchange: string, base: string, target: string, volumeUsd: string, verified?: boolean]
const coinIds: Record<string, string> = { BTC: 'bitcoin', ETH: 'ethereum', USDT: 'tether' }

beforeAll(async () => {
  const stored = { source: 'test', fetched_at: at('2026-03-10T12:00:00Z') }
  const exchange = (id: string, name: string, values: object) =>
    api.owner
      .insertInto('ticker_exchanges')
      .values({
        id,
        name,
        icon: null,
        url: null,
        rank: null,
        volume_24h_usd: '1',
        volume_7d_usd: null,
        volume_30d_usd: null,
        change_24h: null,
        at: at('2026-03-10T12:00:00Z'),
        charted_at: null,
        tickers_at: at('2026-03-10T11:00:00Z'),
        ...stored,
        ...values,
      })
      .execute()
  await exchange('kraken', 'Kraken', { rank: 2, volume_24h_usd: '40.5' })
  await exchange('binance', 'Binance', {
    rank: 1,
    volume_24h_usd: '100',
    volume_7d_usd: '700',
    volume_30d_usd: '3000',
    change_24h: '-2.5',
    icon: 'https://x.example/b.png',
    url: 'https://www.binance.com/',
  })
  await exchange('gone', 'Gone', { volume_24h_usd: '999' })
  const pairs: Pair[] = [
    ['binance', 'BTC', 'USDT', '50'],
    ['binance', 'ETH', 'BTC', '30'],
    ['kraken', 'BTC', 'EUR', '20'],
    ['kraken', 'ETH', 'EUR', '20', false],
    ['kraken', 'ODD', 'EUR', '10', false],
  ]
  await api.owner
    .insertInto('tickers')
    .values(
      pairs.map(([exchangeId, base, target, volumeUsd, verified = true]) => ({
        exchange_id: exchangeId,
        base,
        target,
        base_coin_id: coinIds[base] ?? null,
        target_coin_id: coinIds[target] ?? null,
        pair_price: '2.5',
        pair_volume: '4',
        price_usd: '5',
        volume_usd: volumeUsd,
        verified,
        listed: base !== 'ODD',
        at: at('2026-03-10T11:59:00Z'),
        first_seen_at: at('2026-01-01T00:00:00Z'),
        seen_at: at('2026-03-10T11:00:00Z'),
        ...stored,
      })),
    )
    .execute()
  const prices: [string, string][] = [
    ['2026-03-09T12:00:00Z', '30'],
    ['2026-03-10T09:00:00Z', '25'],
    ['2026-03-10T12:00:00Z', '24'],
  ]
  await api.owner
    .insertInto('ticker_prices')
    .values(
      prices.map(([time, pairPrice]) => ({
        exchange_id: 'binance',
        base: 'BTC',
        target: 'ETH',
        at: at(time),
        pair_price: pairPrice,
        ...stored,
      })),
    )
    .execute()
})

test('GET /tickers/exchanges returns the listed exchanges by volume, for 2 credits', async () => {
  const { body, headers, credits } = await exchanges('/tickers/exchanges')
  expect(body).toEqual([
    {
      id: 'binance',
      name: 'Binance',
      rank: 1,
      change24h: -2.5,
      volume24h: 100,
      volume7d: 700,
      volume1m: 3000,
      icon: 'https://x.example/b.png',
      url: 'https://www.binance.com/',
    },
    { id: 'kraken', name: 'Kraken', rank: 2, change24h: 0, volume24h: 40.5, volume7d: 0 },
  ])
  expect(credits).toBe(2)
  expect(headers.get('x-data-as-of')).toBe('2026-03-10T12:00:00.000Z')
})

describe('GET /tickers/markets', () => {
  const namesOf = (body: { result: { exchange: string; pair: string }[] }) =>
    body.result.map(({ exchange, pair }) => `${exchange} ${pair}`)

  test('lists markets by volume, for 3 credits', async () => {
    const { body, headers, credits } = await markets('/tickers/markets')
    expect(body.meta).toMatchObject({ itemCount: 4, pageCount: 1 })
    expect(body.result[0]).toEqual({
      exchange: 'Binance',
      pair: 'BTC/USDT',
      from: 'BTC',
      to: 'USDT',
      price: 5,
      pairPrice: 2.5,
      pairVolume: 4,
      volume: 50,
      _created_at: '2026-01-01T00:00:00.000Z',
      _updated_at: '2026-03-10T11:59:00.000Z',
    })
    expect(namesOf(body).slice(1)).toEqual(['Binance ETH/BTC', 'Kraken BTC/EUR', 'Kraken ETH/EUR'])
    expect(credits).toBe(3)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T11:00:00.000Z')
  })

  test.each([
    ['exchange=KRAKEN', ['Kraken BTC/EUR', 'Kraken ETH/EUR']],
    ['exchange=krak', []],
    ['fromCoin=eth', ['Binance ETH/BTC', 'Kraken ETH/EUR']],
    ['fromCoin=ETH&toCoin=eur', ['Kraken ETH/EUR']],
    ['coinId=bitcoin', ['Binance BTC/USDT', 'Binance ETH/BTC', 'Kraken BTC/EUR']],
    ['coinId=nothing', []],
    ['onlyVerified=true&exchange=kraken', ['Kraken BTC/EUR']],
    ['limit=1&page=3', ['Kraken BTC/EUR']],
    ['limit=3&page=2147483647', []],
  ])('filters by %s', async (filter, names) =>
    expect(namesOf((await markets(`/tickers/markets?${filter}`)).body)).toEqual(names),
  )

  test.each([
    ['page=0', 'page'],
    ['limit=1001', 'limit'],
    ['limit=1e2', 'limit'],
    ['exchange=', 'exchange'],
    ['exchange=%E2%80%8B', 'exchange'],
    ['fromCoin=%EF%BF%BD', 'fromCoin'],
    [`toCoin=${'x'.repeat(201)}`, 'toCoin'],
    ['coinId=a%20b', 'coinId'],
    ["coinId='%20or%201", 'coinId'],
    ['onlyVerified=TRUE', 'onlyVerified'],
    ['onlyVerified=1', 'onlyVerified'],
    ['exchange=a&exchange=b', 'exchange'],
  ])('returns 400 for %s', async (filter, name) =>
    expect(await refusal(await api.get(`/tickers/markets?${filter}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})

describe('GET /coins/price/exchange', () => {
  const path = (from: string, to: string, time: string, exchange = 'binance') =>
    `/coins/price/exchange?exchange=${exchange}&from=${from}&to=${to}&timestamp=${seconds(time)}`

  test('returns the last price at the instant, or that of the inverse market, for 5 credits', async () => {
    const { body, credits } = await price(path('btc', 'eth', '2026-03-10T11:59:59Z', 'BINANCE'))
    expect([body, credits]).toEqual([{ price: 25 }, 5])
    expect((await price(path('BTC', 'ETH', '2026-03-10T12:00:00Z'))).body).toEqual({ price: 24 })
    expect((await price(path('ETH', 'BTC', '2026-03-10T10:00:00Z'))).body).toEqual({ price: 0.04 })
  })
  test.each([
    [
      'before the first price',
      path('BTC', 'ETH', '2026-03-09T11:59:59Z'),
      'No price of this pair at this time',
    ],
    [
      'for an unknown pair',
      path('BTC', 'DOGE', '2026-03-10T12:00:00Z'),
      'No price of this pair at this time',
    ],
    ['on an unknown exchange', path('BTC', 'ETH', '2026-03-10T12:00:00Z', 'nowhere'), 'Exchange not found'],
  ])('returns 404 %s', async (_what, target, message) =>
    expect(await refusal(await api.get(target, key))).toEqual([404, message]),
  )
  test('ignores a price that is more than a day old', async () => {
    await api.owner.deleteFrom('ticker_prices').where('at', '>', at('2026-03-09T12:00:00Z')).execute()
    expect((await price(path('BTC', 'ETH', '2026-03-10T12:00:00Z'))).body).toEqual({ price: 30 })
    expect((await api.get(path('BTC', 'ETH', '2026-03-10T12:00:01Z'), key)).status).toBe(404)
  })
  test.each([
    ['from=BTC&to=ETH&timestamp=1', 'exchange'],
    ['exchange=binance&to=ETH&timestamp=1', 'from'],
    ['exchange=binance&from=BTC&timestamp=1', 'to'],
    ['exchange=binance&from=BTC&to=ETH', 'timestamp'],
    ['exchange=binance&from=BTC&to=ETH&timestamp=2026-01-01', 'timestamp'],
    ['exchange=binance&from=BTC&to=ETH&timestamp=-5', 'timestamp'],
    ['exchange=binance&from=BTC&to=ETH&timestamp=9999999999999', 'timestamp'],
    [`exchange=binance&from=BTC&to=ETH&timestamp=${seconds('2026-03-10T12:30:01Z')}`, 'timestamp'],
  ])('returns 400 for the query %s', async (query, name) =>
    expect(await refusal(await api.get(`/coins/price/exchange?${query}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})
