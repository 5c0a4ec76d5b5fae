import { beforeEach, describe, expect, test } from 'vitest'
import { refreshTotals } from '../../activities/prices/refresh-totals.ts'
import { getMarkets } from '../../api/prices/get-markets.ts'
import { readSourceHealth } from '../../db/sources/read.ts'
import { lagOf } from '../../db/sources/source-state.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { startPriceWorld } from './price-world.ts'

const database = await testDatabase()
const { deps, sources, faults, clock } = await startPriceWorld(database)
const api = await startApi({ database, routes: [getMarkets] })
const { key } = await api.newAccount()

interface Stored {
  at: Date
  source: string
  market_cap_usd: string
  btc_dominance: string
}
const rows = <T>(sql: string) => query<T & Record<string, unknown>>(database.ownerUrl, sql)
const stored = () =>
  rows<Stored>('select at, source, market_cap_usd, btc_dominance from market_totals order by at')
const quarantined = () =>
  rows<{ source: string; reason: string }>('select source, area, reason from quarantine order by id')
const secondsBefore = (at: number) => new Date(Math.floor(at / 1000) * 1000)
const down = (source: string) => faults.add({ source, kind: 'error', match: '/global', count: 3 })
const lies = (source: string, lie: 'jump' | 'stale' | 'negative' | 'nan') =>
  faults.add({ source, kind: 'lie', lie, match: '/global', count: 1 })

beforeEach(async () => {
  faults.clear()
  clock.nowMs += 60_000
  await rows('truncate market_totals, quarantine')
  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
})

test('stores the totals of CoinGecko; a second refresh adds none', async () => {
  expect(await refreshTotals(deps, sources)).toBe(1)
  expect(await refreshTotals(deps, sources)).toBe(0)
  expect(await stored()).toMatchObject([{ source: 'coingecko', at: secondsBefore(clock.nowMs) }])
  expect(await quarantined()).toEqual([])
})

test('stores and serves the totals of CoinPaprika while CoinGecko fails', async () => {
  await refreshTotals(deps, sources)
  clock.nowMs += 60_000
  down('coingecko')
  expect(await refreshTotals(deps, sources)).toBe(1)
  const [first, second] = await stored()
  expect([first!.source, second!.source]).toEqual(['coingecko', 'coinpaprika'])
  // Both sources see the same market; the second rounds.
  expect(Number(second!.btc_dominance)).toBeCloseTo(Number(first!.btc_dominance), 0)
  expect(second!.btc_dominance).toMatch(/^\d+(\.\d\d?)?$/)

  const markets = await endpoint(api, { route: getMarkets, key })('/markets')
  expect(markets.body).toMatchObject({
    marketCap: Number(second!.market_cap_usd),
    btcDominance: Number(second!.btc_dominance),
  })
  // No totals of the same source are a day old, so the changes are those of the source.
  expect(markets.body.marketCapChange).not.toBe(0)
  expect(markets.headers.get('x-data-as-of')).toBe(second!.at.toISOString())

  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
  faults.clear()
  clock.nowMs += 60_000
  await refreshTotals(deps, sources)
  expect((await stored()).at(-1)).toMatchObject({ source: 'coingecko' })
})

test('a source that answers at once with old totals is as old as they are', async () => {
  lies('coingecko', 'stale')
  expect(await refreshTotals(deps, sources)).toBe(1)
  const health = await readSourceHealth(deps.db)
  const ages = new Map(health.map(({ source, dataAgeSeconds }) => [source, dataAgeSeconds]))
  expect(ages.get('coingecko')).toBeGreaterThan(3 * 3_600)
  expect(ages.get('coinpaprika')).toBeLessThan(60)
  const old = health.find(({ source }) => source === 'coingecko')!
  expect(old.lastSuccessAt).not.toBeNull()
  expect(lagOf(old, old.lastSuccessAt!)).toBe(ages.get('coingecko'))
})

test('uses CoinPaprika when CoinGecko is off; fails with a reason when both are off', async () => {
  expect(await refreshTotals(deps, { ...sources, coingecko: null })).toBe(1)
  expect(await stored()).toMatchObject([{ source: 'coinpaprika' }])
  const none = { ...sources, coingecko: null, coinpaprika: null }
  await expect(refreshTotals(deps, none)).rejects.toMatchObject({ name: 'SourceRejected' })
})

test('when both fail, throws the failure of CoinGecko or of the only source that is on, and changes nothing', async () => {
  await refreshTotals(deps, sources)
  const before = await stored()
  clock.nowMs += 60_000
  down('coingecko')
  down('coinpaprika')
  await expect(refreshTotals(deps, sources)).rejects.toThrow(/^coingecko: status 5/)
  down('coinpaprika')
  await expect(refreshTotals(deps, { ...sources, coingecko: null })).rejects.toMatchObject({
    name: 'SourceUnavailable',
    source: 'coinpaprika',
  })
  expect(await stored()).toEqual(before)
})

describe('implausible totals are held back', () => {
  test.each([
    ['coingecko', 'nan', /not a decimal/],
    ['coingecko', 'negative', /is not above zero/],
    ['coingecko', 'jump', /is above 100 %/],
    ['coingecko', 'stale', /^held back: stale/],
    ['coinpaprika', 'nan', /not a decimal/],
    ['coinpaprika', 'negative', /is not above zero/],
    ['coinpaprika', 'jump', /is above 100 %/],
    ['coinpaprika', 'stale', /^held back: stale/],
  ] as const)('quarantines false totals of %s (%s) and does not store them', async (liar, lie, reason) => {
    await refreshTotals(deps, sources)
    const before = await stored()
    clock.nowMs += 60_000
    lies(liar, lie)
    if (liar === 'coingecko') {
      expect(await refreshTotals(deps, sources)).toBe(1)
      expect((await stored()).at(-1)).toMatchObject({ source: 'coinpaprika' })
    } else {
      down('coingecko')
      await expect(refreshTotals(deps, sources)).rejects.toThrow(/^coingecko: /)
      expect(await stored()).toEqual(before)
    }
    expect(await quarantined()).toEqual([
      { source: liar, area: 'prices', reason: expect.stringMatching(reason) },
    ])
  })

  /** Changes the stored totals so that the next answer differs a lot. */
  const shift = (set: string) => rows(`update market_totals set ${set}`)

  test.each([
    ['the market', 'market_cap_usd = market_cap_usd / 3'],
    ["bitcoin's share", 'btc_dominance = btc_dominance / 3'],
  ])(
    '%s triples within minutes: both sources are held back, and accepted two hours later',
    async (_name, set) => {
      await refreshTotals(deps, sources)
      await shift(set)
      const before = await stored()
      clock.nowMs += 60_000
      await expect(refreshTotals(deps, sources)).rejects.toThrow(/^coingecko: .*held back: jump/)
      expect((await quarantined()).map(({ source }) => source)).toEqual(['coingecko', 'coinpaprika'])
      expect(await stored()).toEqual(before)
      clock.nowMs += 2 * HOUR_MS
      expect(await refreshTotals(deps, sources)).toBe(1)
    },
  )

  test('compares a volume only with volumes of the same source', async () => {
    await refreshTotals(deps, sources)
    await shift('volume_24h_usd = volume_24h_usd / 3')
    clock.nowMs += 60_000
    expect(await refreshTotals(deps, sources)).toBe(1)
    expect((await stored()).map(({ source }) => source)).toEqual(['coingecko', 'coinpaprika'])
    expect(await quarantined()).toMatchObject([{ source: 'coingecko' }])
  })

  test('false totals of CoinPaprika do not hold back those of CoinGecko', async () => {
    await refreshTotals(deps, { ...sources, coingecko: null })
    await shift('market_cap_usd = market_cap_usd * 3')
    clock.nowMs += 60_000
    expect(await refreshTotals(deps, sources)).toBe(1)
    expect((await stored()).at(-1)).toMatchObject({ source: 'coingecko' })
    expect(await quarantined()).toEqual([])
  })

  test('ignores totals that are older than the stored ones, without quarantining them', async () => {
    await refreshTotals(deps, sources)
    await shift(`at = at + interval '10 minutes', source = 'coinpaprika'`)
    const before = await stored()
    expect(await refreshTotals(deps, sources)).toBe(0)
    expect(await stored()).toEqual(before)
    expect(await quarantined()).toEqual([])
  })
})
