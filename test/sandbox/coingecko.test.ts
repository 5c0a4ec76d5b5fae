import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCoinGecko } from '../../sandbox/prices/coingecko.ts'
import { realdata } from '../setup/realdata.ts'
import { call, day, market, now, prices, type Row } from './call.ts'

const coinGecko = createCoinGecko(prices)
const get = (pathAndQuery: string) => call(coinGecko, pathAndQuery)

// The first list computes extremes from two years of hours, which takes long on a busy machine.
beforeAll(() => get('/coins/markets?vs_currency=usd'))
const times = (points: [number, number][]): number[] => points.map(([ms]) => ms / 1000)
const steps = (points: [number, number][]): number[] =>
  times(points)
    .slice(1)
    .map((t, i) => t - times(points)[i]!)

describe('coingecko', () => {
  test('lists coins with their contracts, without delisted coins', async () => {
    const { body } = await get('/coins/list?include_platform=true')
    const usdc = body.find((c: Row) => c['id'] === 'usd-coin')
    expect(usdc).toEqual({
      id: 'usd-coin',
      symbol: 'usdc',
      name: 'USDC',
      platforms: {
        ethereum: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        base: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        cardano: '473c717f0351951167f21819b975a6228f10474ddcd921ac32efa67255534443',
        osmosis: 'ibc/498A0751C798A0D9A389AA3691123DADA57DAA4FE165D5C75894505B876BA6E4',
        sui: '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC',
      },
    })
    expect(body).toHaveLength(market.listedCoins(now).length)
    expect(body.length).toBeLessThan(200)
  })

  test('pages markets by capitalisation, at most 250 per page', async () => {
    const all = (await get('/coins/markets?vs_currency=usd&per_page=9999')).body
    const second = (await get('/coins/markets?vs_currency=usd&per_page=50&page=2')).body
    expect(second.map((c: Row) => c['id'])).toEqual(all.slice(50, 100).map((c: Row) => c['id']))
    expect(all.map((c: Row) => c['market_cap_rank'])).toEqual(all.map((_: Row, i: number) => i + 1))
    expect((await get('/coins/markets?vs_currency=usd&page=9')).body).toEqual([])
  })

  test('prices lie between their extremes', async () => {
    for (const row of (await get('/coins/markets?vs_currency=usd&per_page=250')).body) {
      expect(row.ath).toBeGreaterThanOrEqual(row.high_24h)
      expect(row.high_24h).toBeGreaterThanOrEqual(row.current_price)
      expect(row.current_price).toBeGreaterThanOrEqual(row.low_24h)
      expect(row.low_24h).toBeGreaterThanOrEqual(row.atl)
    }
  })

  test('refuses a missing and an unknown currency', async () => {
    expect((await get('/coins/markets')).status).toBe(422)
    expect(await get('/coins/markets?vs_currency=zzz')).toEqual({
      status: 400,
      body: { error: 'invalid vs_currency' },
    })
    expect(await get('/coins/nothing')).toEqual({ status: 404, body: { error: 'coin not found' } })
  })

  test('chooses the granularity of a chart by its range, and ends it with the current price', async () => {
    const fine = (await get('/coins/bitcoin/market_chart?vs_currency=usd&days=1')).body.prices
    const hourly = (await get('/coins/bitcoin/market_chart?vs_currency=usd&days=90')).body.prices
    const daily = (await get('/coins/bitcoin/market_chart?vs_currency=usd&days=max')).body.prices
    expect(fine.length).toBe(24 * 12 + 1)
    expect(hourly.length).toBe(90 * 24 + 1)
    expect(daily.length).toBeGreaterThanOrEqual(730)
    for (const step of steps(daily).slice(0, -1)) expect(step).toBe(day)
    for (const points of [fine, hourly, daily]) expect(points.at(-1)[0]).toBe(Math.floor(now * 1000))
  })

  test('ends a chart of the past at the end of its range', async () => {
    const [from, to] = [now - 100 * day, now - 40 * day]
    const { prices } = (await get(`/coins/ethereum/market_chart/range?vs_currency=eur&from=${from}&to=${to}`))
      .body
    expect(times(prices).every((t) => t >= from && t <= to)).toBe(true)
    expect(prices.length).toBe(60 * 24)
  })

  test('starts the chart of a young coin at its listing and ends that of a delisted one at its end', async () => {
    const drop = (await get('/coins/sluice-drop/market_chart?vs_currency=usd&days=max')).body.prices
    expect(times(drop)[0]).toBe(market.listedAt(market.coin('sluice-drop')!))
    const gone = market
      .everListed(now)
      .find((c) => c.delistedDaysBefore !== null && c.listedDaysBefore === null)!
    const chart = (await get(`/coins/${gone.id}/market_chart?vs_currency=usd&days=max`)).body.prices
    expect(times(chart).at(-1)).toBeLessThan(market.anchor - gone.delistedDaysBefore! * day)
    expect((await get(`/coins/${gone.id}`)).status).toBe(404)
  })

  test('leaves out the hours of a gap', async () => {
    const coin = market.listedCoins(now).find((c) => c.hasGaps && c.listedDaysBefore === null)!
    const { prices } = (await get(`/coins/${coin.id}/market_chart?vs_currency=usd&days=90`)).body
    expect(prices.length).toBeLessThan(90 * 24 + 1)
    expect(Math.max(...steps(prices))).toBeGreaterThan(3 * 3600)
  })
})

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Fields of `real` that are missing in `ours` or have another type. null fits any type. */
function differences(real: unknown, ours: unknown, path = ''): string[] {
  if (real === null || ours === null) return []
  if (typeOf(real) !== typeOf(ours)) return [`${path}: ${typeOf(real)}, here ${typeOf(ours)}`]
  if (Array.isArray(real) && real.length > 0) return differences(real[0], (ours as unknown[])[0], `${path}[]`)
  if (typeof real !== 'object') return []
  return Object.entries(real as Row).flatMap(([key, value]) => {
    const here = (ours as Row)[key]
    return here === undefined ? [`${path}.${key} is missing`] : differences(value, here, `${path}.${key}`)
  })
}

describe.skipIf(!realdata)('coingecko against the official examples', () => {
  const file = join(realdata ?? '', 'coingecko-examples/demo-api-examples.json')
  const windows = '1h,24h,7d,14d,30d,200d,1y'
  test.each<[example: string, ours: string, without: RegExp]>([
    ['GET /ping', '/ping', /^$/],
    ['GET /coins/list', '/coins/list?include_platform=true', /platforms\./],
    [
      'GET /coins/markets',
      `/coins/markets?vs_currency=usd&sparkline=true&price_change_percentage=${windows}`,
      /^$/,
    ],
    [
      'GET /simple/price',
      '/simple/price?ids=bitcoin&vs_currencies=usd&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true&include_last_updated_at=true',
      /^$/,
    ],
    ['GET /coins/{id}/market_chart', '/coins/bitcoin/market_chart?vs_currency=usd&days=1', /^$/],
    [
      'GET /coins/{id}/market_chart/range',
      `/coins/bitcoin/market_chart/range?vs_currency=usd&from=${now - day}&to=${now}`,
      /^$/,
    ],
    ['GET /global', '/global', /market_cap\.|volume\.|percentage\./],
    // The sandbox has the currencies of Frankfurter and the coins in which CoinGecko quotes.
    ['GET /exchange_rates', '/exchange_rates', /rates\./],
    ['GET /coins/categories/list', '/coins/categories/list', /^$/],
    ['GET /coins/{id}', '/coins/bitcoin', /tickers|community_data|developer_data|description\.|image\./],
  ])('%s has the same fields and types', async (example, ours, without) => {
    const examples = JSON.parse(readFileSync(file, 'utf8')) as Row
    const { body } = await get(ours)
    expect(differences(examples[example], body).filter((d) => !without.test(d))).toEqual([])
  })
})
