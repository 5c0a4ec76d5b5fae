import { expect, test } from 'vitest'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import type { HistoryAnswer } from '../../activities/prices/market-data.ts'
import { planOfHistory, readPast } from '../../activities/prices/history-sources.ts'
import type { PriceSources } from '../../activities/prices/price-sources.ts'
import type { HistoryState } from '../../db/prices/read-for-ingest.ts'

const [FROM, TO] = [1_000, 9_000]
const COIN: HistoryState = {
  coinId: 'bitcoin',
  source: 'coingecko',
  geckoId: 'bitcoin',
  paprikaId: 'btc-bitcoin',
  contract: { blockchain: 'ethereum', address: '0x1' },
  from: null,
  to: null,
  floorPlan: null,
}
const points = (usd: string) => [{ atMs: 5_000, usd }]
const unavailable = new SourceUnavailable('defillama', 'busy')
const refused = new SourceRejected('defillama', 'no such coin')

type Told = HistoryAnswer | Error
const NOTHING: HistoryAnswer = { points: [], floorMs: null }
const tell = (told: Told | undefined) => async () =>
  told instanceof Error ? Promise.reject(told) : Promise.resolve(told ?? NOTHING)

/** Sources of which each tells the given; the others know nothing. */
function sources(
  told: Partial<Record<'coingecko' | 'coinpaprika' | 'defillama' | 'binance', Told>>,
  plan = 'free',
): PriceSources {
  return {
    coingecko: { plan, history: tell(told.coingecko) },
    coinpaprika: { plan: 'free', days: tell(told.coinpaprika) },
    defillama: { history: async () => (await tell(told.defillama)()).points },
    exchanges: [{ name: 'binance-klines', candles: tell(told.binance) }],
  } as unknown as PriceSources
}
const read = (of: PriceSources, state = COIN, resolution: 'hour' | 'day' = 'day') =>
  readPast(of, { state, range: { resolution, fromMs: FROM, toMs: TO } })

test('those without a limit are asked first, and the plan of CoinGecko says whether it comes last', () => {
  const planOf = (plan: string, state = COIN, resolution: 'hour' | 'day' = 'day') =>
    planOfHistory(sources({}, plan), { state, resolution })
  const rest = 'defillama binance-klines coinpaprika:free'
  expect(planOf('free')).toBe(`${rest} coingecko:free`)
  expect(planOf('full')).toBe(`coingecko:full ${rest}`)
  expect(planOf('keyless')).toBe(rest)
  expect(planOf('free', COIN, 'hour')).toBe('defillama binance-klines coingecko:free')
  expect(planOf('free', { ...COIN, paprikaId: null })).toBe('defillama binance-klines coingecko:free')
  // Without an id at CoinGecko, DefiLlama is asked by contract; without either, not at all.
  expect(planOf('free', { ...COIN, geckoId: null })).toBe(rest)
  expect(planOf('free', { ...COIN, geckoId: null, contract: null })).toBe('binance-klines coinpaprika:free')
  expect(planOf('free', { ...COIN, coinId: 'odd' })).toBe('defillama coinpaprika:free coingecko:free')
  const off = {
    coingecko: null,
    coinpaprika: null,
    defillama: null,
    exchanges: [],
  } as unknown as PriceSources
  expect(planOfHistory(off, { state: COIN, resolution: 'day' })).toBe('')
})

test('the first source that has all of a window gives it', async () => {
  const whole = { source: 'defillama', points: points('1'), fromMs: FROM, floor: null }
  expect(await read(sources({ defillama: { points: points('1'), floorMs: null } }))).toEqual(whole)
  const atStart = { points: points('2'), floorMs: FROM }
  expect(await read(sources({ binance: atStart }))).toEqual({
    source: 'binance-klines',
    points: points('2'),
    fromMs: FROM,
    floor: null,
  })
  const later = { points: points('3'), floorMs: FROM + 1 }
  expect(await read(sources({ binance: later, coinpaprika: atStart }))).toMatchObject({
    source: 'coinpaprika',
  })
})

test('else the one that has most of it, up to where its plan ends', async () => {
  const half = { points: points('1'), floorMs: 4_000 }
  const most = { points: points('2'), floorMs: 3_000 }
  const expected = {
    source: 'coinpaprika',
    points: points('2'),
    fromMs: 3_000,
    floor: 'coinpaprika has none before',
  }
  expect(await read(sources({ binance: half, coinpaprika: most, coingecko: half }))).toEqual(expected)
  expect(await read(sources({ binance: { ...half, floorMs: 3_000 }, coinpaprika: most }))).toMatchObject({
    source: 'binance-klines',
  })
  expect(await read(sources({ coinpaprika: most, defillama: refused }))).toEqual(expected)
  // Another time may give the rest.
  expect(await read(sources({ coinpaprika: most, defillama: unavailable }))).toEqual({
    ...expected,
    floor: null,
  })
})

test('where none has any of it, what they said decides', async () => {
  const other = new SourceUnavailable('coinpaprika', 'busy too')
  await expect(
    read(sources({ defillama: refused, coinpaprika: unavailable, coingecko: other })),
  ).rejects.toBe(unavailable)
  await expect(
    read(sources({ defillama: refused, coinpaprika: new SourceRejected('b', 'no') })),
  ).rejects.toBe(refused)
  await expect(read(sources({ defillama: new TypeError('broken') }))).rejects.toThrow('broken')
  const plan = new NotInPlan('coingecko', 'the plan ends a year ago')
  expect(await read(sources({ defillama: refused, coingecko: plan }))).toEqual({
    source: 'coingecko',
    points: [],
    fromMs: TO,
    floor: plan.message,
  })
  expect(await read(sources({}))).toEqual({ source: 'defillama', points: [], fromMs: FROM, floor: null })
  const unknown = { ...COIN, coinId: 'odd', geckoId: null, paprikaId: null, contract: null, source: 'test' }
  expect(await read(sources({}), unknown)).toEqual({
    source: 'test',
    points: [],
    fromMs: TO,
    floor: 'no source that is on knows its past',
  })
})
