import { expect, test } from 'vitest'
import { createPricesActivities } from '../../../activities/prices/index.ts'
import { DAY_MS, HOUR_MS } from '../../../db/values/periods.ts'
import { testDatabase } from '../../setup/database.ts'
import { query } from '../../setup/query.ts'
import { DEMO_KEY } from './coingecko.ts'
import { usdAt } from './market.ts'
import { priceWorker, startPriceDoubles } from './price-doubles.ts'

const database = await testDatabase()
const rows = <T extends object>(sql: string) => query<T & Record<string, unknown>>(database.ownerUrl, sql)

async function start(options: { coins: number; demoKey: boolean }) {
  const doubles = await startPriceDoubles(options)
  return { ...doubles, ...(await priceWorker(database, { ...doubles, demoKey: options.demoKey })) }
}

const quotesBySource = () =>
  rows<{ source: string; n: number }>(
    'select source, count(*)::int as n from coin_quotes group by source order by source',
  )

test('0.1: without any key 500 coins have prices, under the ids by which wallets know them', async () => {
  const { prices, coins, clock } = await start({ coins: 2_300, demoKey: false })
  const result = await prices.refreshQuotes()
  expect(result).toMatchObject({ source: 'coinpaprika', held: 0, quarantined: 0 })
  // Five of the 500 are dead: their price is 0 or null, which is no price and no error.
  expect(await quotesBySource()).toEqual([{ source: 'coinpaprika', n: result.newCoins }])
  expect(result.newCoins).toBe(500)
  const highs =
    'select count(*)::int as n from coin_quotes where all_time_high_usd > 0 and all_time_high_at is not null'
  expect(await rows(highs)).toEqual([{ n: 500 }])
  const known = await rows<{ id: string; usd: string; fetched_at: Date }>(
    `select coin_id as id, price_usd as usd, fetched_at from coin_quotes
     where coin_id in ('bitcoin', 'ripple', 'binancecoin', 'avalanche-2', 'usd-coin', 'the-open-network') order by 1`,
  )
  expect(known).toHaveLength(6)
  for (const { id, usd, fetched_at } of known) {
    expect(Number(usd)).toBe(
      usdAt(
        coins.find(({ geckoId }) => geckoId === id)!,
        clock.now(),
      ),
    )
    expect(fetched_at).toEqual(new Date(clock.now()))
  }
  expect(await prices.refreshTotals()).toBe(1)
  clock.advance(15 * 60_000)
  expect(await prices.refreshQuotes()).toMatchObject({ newCoins: 0, held: 0 })
})

test('a key that comes later keeps the coins: none is stored twice', async () => {
  const doubles = await startPriceDoubles({ coins: 600, demoKey: true })
  const keyless = await priceWorker(database, { ...doubles, demoKey: false })
  await keyless.prices.refreshQuotes()
  const before = await rows<{ id: string }>('select id from coins')
  const { clock } = doubles
  clock.advance(60_000)
  const { deps } = keyless
  const gecko = { ...deps.config.sources['coingecko']!, key: DEMO_KEY, plan: 'free' as const }
  const config = { ...deps.config, sources: { ...deps.config.sources, coingecko: gecko } }
  const result = await createPricesActivities({ ...deps, config }).refreshQuotes()
  expect(result).toMatchObject({ source: 'coingecko', held: 0 })
  const after = await rows<{ id: string; name: string }>('select id, name from coins')
  expect(new Set(after.map(({ name }) => name)).size).toBe(after.length)
  const kept = new Set(after.map(({ id }) => id))
  expect(before.filter(({ id }) => !kept.has(id))).toEqual([])
})

test('the list of all coins is one call, and gives the coins their contracts; without it nothing fails', async () => {
  const { prices, coingecko } = await start({ coins: 600, demoKey: false })
  await prices.refreshQuotes()
  expect(coingecko.asked).toEqual([])
  const { contracts } = await prices.refreshListings()
  expect(contracts).toBeGreaterThan(200)
  expect(coingecko.asked.map(({ path }) => path)).toEqual(['/api/v3/coins/list'])
  const [usdc] = await rows(`select coin_id from coin_contracts where coin_id = 'usd-coin'`)
  expect(usdc).toEqual({ coin_id: 'usd-coin' })
  // An address that others have used up.
  for (let call = 0; call < 9; call++) await fetch(`${coingecko.apiUrl}/global`)
  expect(await prices.refreshListings()).toEqual({ contracts: 0, delisted: 0 })
})

test('CoinPaprika refuses everything: DefiLlama alone is enough to begin with', async () => {
  const { prices, coinpaprika } = await start({ coins: 600, demoKey: false })
  coinpaprika.state.isSpent = true
  expect(await prices.refreshQuotes()).toMatchObject({ source: 'defillama', held: 0, quarantined: 0 })
  const [bitcoin] = await rows(`select coin_id, source from coin_quotes where coin_id = 'bitcoin'`)
  expect(bitcoin).toEqual({ coin_id: 'bitcoin', source: 'defillama' })
  expect(await prices.refreshTotals()).toBe(1)
  expect(await rows('select source from market_totals')).toEqual([{ source: 'coingecko' }])
})

test('a coin that CoinPaprika lists under another id keeps its own', async () => {
  const { prices, coins, clock } = await start({ coins: 600, demoKey: false })
  await prices.refreshQuotes()
  const renamed = coins.find(({ geckoId }) => geckoId === 'coin3-protocol')!
  const [before] = await rows<{ coin_id: string }>(
    `select coin_id from coin_mappings where upstream_id = '${renamed.paprikaId}'`,
  )
  renamed.paprikaId = 'coin3-new-name'
  clock.advance(15 * 60_000)
  expect(await prices.refreshQuotes()).toMatchObject({ newCoins: 0, held: 0 })
  const quote = `select at from coin_quotes where coin_id = '${before!.coin_id}'`
  expect(await rows(quote)).toEqual([{ at: new Date(Math.floor(clock.now() / 60_000) * 60_000) }])
})

test('a spent month of CoinGecko stops nothing: quotes go on from CoinPaprika', async () => {
  const { prices, coingecko, clock } = await start({ coins: 600, demoKey: true })
  expect(await prices.refreshQuotes()).toMatchObject({ source: 'coingecko', newCoins: 500 })
  coingecko.state.isSpent = true
  clock.advance(30 * 60_000)
  expect(await prices.refreshQuotes()).toMatchObject({ source: 'coinpaprika', newCoins: 0, held: 0 })
  expect(await prices.refreshTotals()).toBe(1)
  // CoinPaprika has no highs: those of CoinGecko stay.
  const highs = await rows<{ n: number }>('select count(all_time_high_usd)::int as n from coin_quotes')
  expect(highs[0]!.n).toBeGreaterThan(400)
  coingecko.state.isSpent = false
  clock.advance(60 * 60_000)
  expect(await prices.refreshQuotes()).toMatchObject({ source: 'coingecko', newCoins: 0, held: 0 })
})

const dayPoints = (coinId: string) =>
  rows<{ at: Date; usd: string; source: string }>(
    `select at, usd, source from price_days where coin_id = '${coinId}' order by at`,
  )

async function fillDays(world: Awaited<ReturnType<typeof start>>, coinIds: string[], days = 730) {
  const toMs = Math.floor(world.clock.now() / DAY_MS) * DAY_MS
  return world.prices.fillHistory({ resolution: 'day', coinIds, fromMs: toMs - days * DAY_MS, toMs })
}

test('two years of days without a key: two calls of DefiLlama for a coin, each price that of its midnight', async () => {
  const world = await start({ coins: 600, demoKey: false })
  await world.prices.refreshQuotes()
  expect(await fillDays(world, ['bitcoin', 'ripple'])).toEqual({ points: 2 * 731, quarantined: 0 })
  const charts = world.defillama.asked.filter(({ path }) => path.startsWith('/chart/'))
  expect(charts).toHaveLength(4)
  const ripple = world.coins.find(({ geckoId }) => geckoId === 'ripple')!
  for (const { at, usd, source } of await dayPoints('ripple'))
    expect([Number(usd), source]).toEqual([usdAt(ripple, at.getTime()), 'defillama'])
  expect(await fillDays(world, ['bitcoin', 'ripple'])).toEqual({ points: 0, quarantined: 0 })
})

test('hours of years ago, by which transactions are valued: of a coin, and of a token that is none', async () => {
  const world = await start({ coins: 600, demoKey: false })
  const { prices, coins, defillama } = world
  await prices.refreshQuotes()
  const token = coins.find(({ contract, isTraded }) => contract !== null && !isTraded)!
  const id = `${token.contract}_ethereum`
  const window = { from: '2024-03-01T00:00:00Z', to: '2024-03-03T00:00:00Z' }
  expect(await prices.ensureHourlyPrices({ coinIds: ['bitcoin', id], ...window })).toEqual({
    points: 2 * 49,
    quarantined: 0,
  })
  const stored = await rows<{ at: Date; usd: string }>(
    `select at, usd from price_hours where coin_id = '${id}' order by at`,
  )
  for (const { at, usd } of stored) expect(Number(usd)).toBe(usdAt(token, at.getTime()))
  expect(defillama.refused).toEqual([])
})

test('a coin that DefiLlama does not know has the candles of an exchange; one that is refused stops no other', async () => {
  const world = await start({ coins: 600, demoKey: false })
  const { defillama, binance, coinbase, kraken } = world
  await world.prices.refreshQuotes()
  for (const id of ['solana', 'dogecoin', 'cardano']) defillama.state.unknown.add(id)
  expect(await fillDays(world, ['bitcoin', 'solana'])).toMatchObject({ quarantined: 0 })
  expect((await dayPoints('solana')).map(({ source }) => source)).toEqual(Array(731).fill('binance-klines'))

  binance.state.isBarred = true
  expect(await fillDays(world, ['dogecoin'])).toMatchObject({ points: 731 })
  expect(new Set((await dayPoints('dogecoin')).map(({ source }) => source))).toEqual(
    new Set(['coinbase-candles']),
  )
  await coinbase.stop()
  const cardano = await fillDays(world, ['bitcoin', 'cardano'])
  expect(cardano.quarantined).toBe(0)
  const newest = await dayPoints('cardano')
  expect(newest.length).toBeGreaterThan(700)
  expect(new Set(newest.map(({ source }) => source))).toEqual(new Set(['kraken-ohlc']))
  expect(kraken.asked).toHaveLength(1)
})

test('history that only a plan of one year has is a gap with its reason, and is not asked for again', async () => {
  const world = await start({ coins: 600, demoKey: false })
  const { defillama, coinpaprika } = world
  await world.prices.refreshQuotes()
  const [{ id }] = (await rows<{ id: string }>(
    `select coin_id as id from coin_mappings where upstream_id = 'coin5-coin5-network'`,
  )) as [{ id: string }]
  defillama.state.unknown.add('coin5-protocol')
  expect(await fillDays(world, ['bitcoin', id])).toMatchObject({ quarantined: 0 })
  const points = await dayPoints(id)
  expect([points.length, points[0]!.source]).toEqual([364, 'coinpaprika'])
  const gap = () =>
    rows(`select from_at, floor_reason from price_histories where coin_id = '${id}' and resolution = 'day'`)
  expect(await gap()).toEqual([{ from_at: points[0]!.at, floor_reason: 'coinpaprika has none before' }])
  expect(await rows('select coins_with_gaps, price_gap_reason from operations.queue')).toEqual([
    { coins_with_gaps: 1, price_gap_reason: 'coinpaprika has none before' },
  ])
  const asked = coinpaprika.asked.length
  expect(await fillDays(world, ['bitcoin', id])).toEqual({ points: 0, quarantined: 0 })
  expect(coinpaprika.asked.length).toBe(asked)

  // Another plan may have it.
  const gecko = { ...world.deps.config.sources['coingecko']!, plan: 'full' as const }
  const config = { ...world.deps.config, sources: { ...world.deps.config.sources, coingecko: gecko } }
  defillama.state.unknown.clear()
  await rows(`insert into coin_mappings values ('coingecko', 'coin5-protocol', '${id}')`)
  const again = { ...world, prices: createPricesActivities({ ...world.deps, config }) }
  expect((await fillDays(again, [id])).points).toBe(731 - 364)
  expect(await gap()).toMatchObject([{ floor_reason: null }])
})

test('a plan without any history leaves the coin without a past, and its hours follow from quotes', async () => {
  const world = await start({ coins: 600, demoKey: false })
  const { coinpaprika, clock, prices } = world
  coinpaprika.state.hasHistory = false
  await prices.refreshQuotes()
  const [{ id }] = (await rows<{ id: string }>(
    `select coin_id as id from coin_mappings where upstream_id = 'coin7-coin7-network'`,
  )) as [{ id: string }]
  const toMs = Math.floor(clock.now() / HOUR_MS) * HOUR_MS
  for (const resolution of ['day', 'hour'] as const)
    await prices.fillHistory({ resolution, coinIds: [id, 'bitcoin'], fromMs: toMs - 7 * DAY_MS, toMs })
  const floors = `select resolution, floor_reason from price_histories where coin_id = '${id}' order by 1`
  expect(await rows(floors)).toEqual([
    { resolution: 'day', floor_reason: expect.stringContaining('status 402') },
    { resolution: 'hour', floor_reason: 'no source that is on knows its past' },
  ])
  const atMs = toMs + HOUR_MS
  clock.advance(atMs - clock.now() + 30_000)
  await prices.refreshQuotes()
  await prices.appendQuotedHour({ atMs })
  expect(await rows(`select at, source from price_hours where coin_id = '${id}'`)).toEqual([
    { at: new Date(atMs), source: 'coinpaprika' },
  ])
})

test('while DefiLlama is down another source gives what it has, and the rest follows', async () => {
  const world = await start({ coins: 600, demoKey: false })
  const { defillama, binance, coinbase, kraken, coinpaprika } = world
  await world.prices.refreshQuotes()
  defillama.state.isDown = true
  await Promise.all([binance.stop(), coinbase.stop(), kraken.stop()])
  coinpaprika.state.isSpent = true
  await expect(fillDays(world, ['ripple', 'bitcoin'])).rejects.toMatchObject({ name: 'SourceUnavailable' })
  expect(await rows('select * from price_histories')).toEqual([])
  coinpaprika.state.isSpent = false
  world.clock.advance(HOUR_MS)
  expect(await fillDays(world, ['ripple', 'bitcoin'])).toMatchObject({ points: 2 * 364 })
  defillama.state.isDown = false
  world.clock.advance(HOUR_MS)
  expect(await fillDays(world, ['bitcoin'])).toMatchObject({ points: 731 - 364, quarantined: 0 })
})
