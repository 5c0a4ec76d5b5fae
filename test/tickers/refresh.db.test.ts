import { beforeAll, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { fillHistory } from '../../activities/prices/fill-history.ts'
import { createHistoryClaims } from '../../activities/prices/history-claims.ts'
import { refreshQuotes } from '../../activities/prices/refresh-quotes.ts'
import { fillPairPrices } from '../../activities/tickers/fill-pair-prices.ts'
import { fillVolumes } from '../../activities/tickers/fill-volumes.ts'
import { refreshExchanges } from '../../activities/tickers/refresh-exchanges.ts'
import { refreshTickers } from '../../activities/tickers/refresh-tickers.ts'
import { createTickerSources } from '../../activities/tickers/ticker-sources.ts'
import { storeTickers, type TickerValues } from '../../db/tickers/write-tickers.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { deps, sources: priceSources, clock, faults } = await startPriceWorld(database)
const sources = createTickerSources(deps)
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T & Record<string, unknown>>(database.ownerUrl, sql, values)
const listed = () =>
  rows<{ id: string }>('select * from ticker_exchanges where rank is not null order by rank')

test('without a bitcoin price, skips exchanges with volumes in BTC and lists the others', async () => {
  expect(await refreshExchanges(deps, { ...sources, coinpaprika: null })).toBe(0)
  expect(await refreshExchanges(deps, sources)).toBe(13)
  expect((await listed()).every(({ source }) => source === 'coinpaprika')).toBe(true)
})

test('lists the exchanges of both sources once each, by volume', async () => {
  await refreshQuotes(deps, priceSources)
  expect(await refreshExchanges(deps, sources)).toBe(14)
  const exchanges = await listed()
  expect(exchanges.map((row) => row['rank'])).toEqual(exchanges.map((_, i) => i + 1))
  expect(exchanges[0]).toMatchObject({ id: 'binance', name: 'Binance', source: 'coinpaprika' })
  expect(exchanges.map(({ id }) => id)).not.toContain('closed-market')
  const coinbase = exchanges.find(({ id }) => id === 'coinbase')!
  expect(coinbase).toMatchObject({ icon: expect.stringMatching(/gdax/), url: 'https://www.coinbase.com/' })
  // Only CoinGecko has this one: converted to USD at bitcoin's price, without a 30-day volume.
  const uniswap = exchanges.find(({ id }) => id === 'uniswap_v3')!
  expect(uniswap).toMatchObject({ source: 'coingecko', volume_7d_usd: null, volume_30d_usd: null })
  expect(Number(uniswap['volume_24h_usd'])).toBeGreaterThan(1e6)
  for (const row of exchanges.filter(({ source }) => source === 'coinpaprika')) {
    expect(Number(row['volume_7d_usd']) / Number(row['volume_24h_usd'])).toBeGreaterThan(4)
    expect(Number(row['volume_30d_usd'])).toBeGreaterThan(Number(row['volume_7d_usd']))
  }
})

test('changes over 24 hours are known from the first day, from the charts', async () => {
  expect(await fillVolumes(deps, sources, { limit: 20 })).toBe(0)
  const hourMs = Math.floor(clock.nowMs / HOUR_MS) * HOUR_MS
  await fillHistory(
    deps,
    { sources: priceSources, claims: createHistoryClaims(), onProgress: () => {} },
    { resolution: 'hour', coinIds: ['bitcoin'], fromMs: hourMs - 15 * DAY_MS, toMs: hourMs },
  )
  // After two exchanges the allowance leaves none: the others wait for the next run.
  const coingecko = sources.coingecko!
  let asked = 0
  const volumes = (id: string) =>
    asked++ < 2
      ? coingecko.volumes(id)
      : Promise.reject(new SourceUnavailable('coingecko', 'its 10000 requests a month leave none'))
  const some = await fillVolumes(deps, { ...sources, coingecko: { ...coingecko, volumes } }, { limit: 20 })
  expect([asked, some > 14 * 24]).toEqual([3, true])
  const points = some + (await fillVolumes(deps, sources, { limit: 20 }))
  // 14 days of hours of CoinGecko's thirteen exchanges; the newest hour may be stored already from the list.
  expect(points).toBeGreaterThan(13 * 14 * 24 - 26)
  const exchanges = await listed()
  for (const row of exchanges.filter(({ id }) => id !== 'old-harbour')) {
    expect(row['change_24h'], row.id).not.toBeNull()
    expect(Number(row['change_24h'])).not.toBe(0)
    expect(row['volume_7d_usd'], row.id).not.toBeNull()
  }
  expect(await fillVolumes(deps, sources, { limit: 20 })).toBe(0)
})

test('keeps an exchange with its last volume for a day when its source fails', async () => {
  const before = await listed()
  faults.add({ source: 'coinpaprika', kind: 'rate_limit', match: '/exchanges', count: 3 })
  clock.nowMs += HOUR_MS
  expect(await refreshExchanges(deps, sources)).toBe(14)
  const after = await listed()
  expect(after.filter(({ source }) => source === 'coinpaprika')).toHaveLength(13)
  const volumeOf = (list: typeof before, id: string) => list.find((row) => row.id === id)!['volume_24h_usd']
  expect(volumeOf(after, 'binance')).toBe(volumeOf(before, 'binance'))
  expect(volumeOf(after, 'uniswap_v3')).not.toBe(volumeOf(before, 'uniswap_v3'))
})

test('reads markets page by page with their coins, one row each', async () => {
  const first = await refreshTickers(deps, sources, { exchanges: 2, pages: 1 })
  expect(first).toEqual({ tickers: 200, quarantined: 0 })
  const { tickers } = await refreshTickers(deps, sources, { exchanges: 3, pages: 9 })
  const [stored] = await rows<{ count: number }>('select count(*)::int as count from tickers where listed')
  expect(stored!.count).toBe(tickers)
  expect(tickers).toBeGreaterThan(700)
  const [pair] = await rows(
    `select ticker.*, quote.price_usd as quote from tickers ticker join coin_quotes quote on quote.coin_id = base_coin_id
     where exchange_id = 'binance' and base = 'BTC' and target = 'USDT'`,
  )
  expect(pair).toMatchObject({ base_coin_id: 'bitcoin', target_coin_id: 'tether', source: 'coingecko' })
  expect(Number(pair!['price_usd']) / Number(pair!['quote'])).toBeCloseTo(1, 1)
  expect(Number(pair!['pair_volume']) * Number(pair!['price_usd'])).toBeCloseTo(
    Number(pair!['volume_usd']),
    -6,
  )
  const [count] = await rows<{ doubtful: number; verified: number }>(
    'select count(*) filter (where not verified)::int as doubtful, count(*) filter (where verified)::int as verified from tickers',
  )
  expect(count!.verified).toBeGreaterThan(count!.doubtful)
  expect(count!.doubtful).toBeGreaterThan(0)
  // Each read adds a price; reading the same trade again adds none.
  const [prices] = await rows<{ count: number }>('select count(*)::int as count from ticker_prices')
  expect(prices!.count).toBeGreaterThanOrEqual(tickers)
})

test('fills past hourly prices of the largest Binance markets, then reads only new ones', async () => {
  // The largest markets change with the hour. Choose BTC/USDT, whose prices can be compared with stored ones.
  await rows(
    `update tickers set volume_usd = 1e15 where exchange_id = 'binance' and base = 'BTC' and target = 'USDT'`,
  )
  const input = { pairs: 3, days: 30 }
  expect(await fillPairPrices(deps, sources, input)).toBe(3 * 30 * 24)
  expect(await fillPairPrices(deps, sources, input)).toBe(0)
  clock.nowMs += 2 * HOUR_MS
  const { binanceKlines } = sources
  const asked: number[] = []
  const watched: typeof binanceKlines = {
    ...binanceKlines!,
    hours(query) {
      asked.push(query.fromMs)
      return binanceKlines!.hours(query)
    },
  }
  expect(await fillPairPrices(deps, { ...sources, binanceKlines: watched }, input)).toBe(3 * 2)
  // Only what came since the newest close is asked for.
  expect(Math.min(...asked)).toBeGreaterThan(clock.nowMs - 4 * HOUR_MS)
  const [spread] = await rows<{ count: number; apart: string }>(`
    select count(*)::int as count, max(abs(price.pair_price / hour.usd - 1)) as apart
    from ticker_prices price
    join price_hours hour on hour.coin_id = 'bitcoin' and hour.at = price.at
    where price.source = 'binance-klines' and price.base = 'BTC' and price.target = 'USDT'`)
  expect(spread!.count).toBeGreaterThan(300)
  expect(Number(spread!.apart)).toBeLessThan(0.02)
})

test('quarantines bad rows with a reason; an exchange that is gone does not stop the others', async () => {
  faults.add({ source: 'coingecko', kind: 'lie', lie: 'nan', match: '/exchanges/binance/tickers', count: 1 })
  await rows(
    `update ticker_exchange_mappings set upstream_id = 'gone' where exchange_id = 'bybit' and source = 'coingecko'`,
  )
  const { tickers, quarantined } = await refreshTickers(deps, sources, { exchanges: 3, pages: 1 })
  expect([tickers, quarantined]).toEqual([100, 101])
  const reasons = await rows(
    `select distinct left(reason, 30) as reason from quarantine where area = 'tickers'`,
  )
  expect(reasons.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^converted_last/),
      expect.stringMatching(/^coingecko: status 404/),
    ]),
  )
})

test('unlists the markets of an exchange after a day without being among the largest', async () => {
  const read = async () =>
    (
      await rows<{ id: string }>(
        'select distinct exchange_id as id from tickers where listed and not exists (select from ticker_exchanges where id = exchange_id and rank <= 2)',
      )
    ).length
  expect(await read()).toBe(1)
  clock.nowMs += DAY_MS + HOUR_MS
  await refreshTickers(deps, sources, { exchanges: 2, pages: 1 })
  expect(await read()).toBe(0)
})

test('without CoinGecko, exchanges have volumes but no markets', async () => {
  const alone = { ...sources, coingecko: null }
  expect(await refreshExchanges(deps, alone)).toBeGreaterThanOrEqual(13)
  expect(await refreshTickers(deps, alone, { exchanges: 2, pages: 1 })).toEqual({
    tickers: 0,
    quarantined: 0,
  })
  expect(await fillVolumes(deps, alone, { limit: 5 })).toBe(0)
})

test('unlists a market after two reads without it, and relists it', async () => {
  const ticker = (base: string): TickerValues => ({
    base,
    target: 'EUR',
    baseCoinId: null,
    targetCoinId: null,
    verified: false,
    at: new Date(clock.nowMs),
    pairPrice: '1',
    pairVolume: '1',
    priceUsd: '1',
    volumeUsd: '1',
  })
  const read = async (bases: string[]) => {
    clock.nowMs += HOUR_MS
    await transact(deps.pool, (tx) =>
      storeTickers(tx, {
        exchangeId: 'old-harbour',
        tickers: bases.map(ticker),
        seenAt: deps.now(),
        source: 'test',
      }),
    )
    const left = await rows<{ base: string }>(
      `select base from tickers where exchange_id = 'old-harbour' and listed order by base`,
    )
    return left.map(({ base }) => base).join()
  }
  expect(await read(['A', 'B'])).toBe('A,B')
  expect(await read(['A'])).toBe('A,B')
  expect(await read(['A'])).toBe('A')
  expect(await read(['A', 'B'])).toBe('A,B')
})

beforeAll(() => {
  clock.nowMs = Math.floor(clock.nowMs / HOUR_MS) * HOUR_MS + 10 * 60_000
})
