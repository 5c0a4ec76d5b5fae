import { beforeAll, beforeEach, expect, test } from 'vitest'
import { refreshListings } from '../../activities/prices/refresh-listings.ts'
import { refreshQuotes } from '../../activities/prices/refresh-quotes.ts'
import { refreshFiats } from '../../activities/prices/refresh-fiats.ts'
import { makeCoins } from '../../activities/prices/token-prices.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startPriceWorld } from './price-world.ts'

const database = await testDatabase()
const world = await startPriceWorld(database)
const { deps, sources, faults, clock } = world

const quotes = () =>
  query<{ coin_id: string; price_usd: string; stale: boolean; source: string; at: Date }>(
    database.ownerUrl,
    'select coin_id, price_usd, stale, source, at from coin_quotes order by coin_id',
  )
const quarantined = () =>
  query<{ source: string; reason: string; payload: unknown }>(
    database.ownerUrl,
    'select source, reason, payload from quarantine order by id',
  )
/** Row versions: rewriting a row changes its xmin even if the values stay the same. */
const versions = (table: string) =>
  query(database.ownerUrl, `select xmin::text, ctid::text from ${table} order by ctid`)

beforeAll(async () => {
  const result = await refreshQuotes(deps, sources)
  expect(result).toMatchObject({ source: 'coingecko', held: 0, quarantined: 0 })
  expect(result.newCoins).toBeGreaterThan(150)
})

beforeEach(async () => {
  faults.clear()
  // One minute later the sources have newer prices, which replace those of the previous test.
  clock.nowMs += 60_000
  await refreshQuotes(deps, sources)
  await query(database.ownerUrl, 'truncate quarantine')
})

test('a second refresh changes no row', async () => {
  const tables = ['coins', 'coin_mappings', 'coin_quotes', 'quarantine']
  const before = await Promise.all(tables.map(versions))
  expect(await refreshQuotes(deps, sources)).toMatchObject({ changed: 0, newCoins: 0 })
  expect(await Promise.all(tables.map(versions))).toEqual(before)
})

test.each(['jump', 'negative', 'nan', 'stale'] as const)(
  'Y9 false values (%s) of the first source are quarantined; the last good values stay and are marked stale',
  async (lie) => {
    const before = await quotes()
    clock.nowMs += 60_000
    faults.add({ source: 'coingecko', kind: 'lie', lie, match: '/coins/markets', count: 1 })
    const fallsBack = lie === 'negative' || lie === 'nan'
    const result = await refreshQuotes(deps, sources)
    const rows = await quarantined()
    if (fallsBack) {
      // No row is valid, so the second source is used.
      expect(result).toMatchObject({ source: 'coinpaprika' })
      expect(rows[0]!.reason).toMatch(
        lie === 'nan' ? /current_price: not a decimal/ : /price is not above zero/,
      )
      return
    }
    const after = await quotes()
    expect(after.map(({ coin_id, price_usd, at }) => ({ coin_id, price_usd, at }))).toEqual(
      before.map(({ coin_id, price_usd, at }) => ({ coin_id, price_usd, at })),
    )
    expect(after.every((quote) => quote.stale)).toBe(true)
    expect(result.held).toBe(before.length)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows[0]!.reason).toMatch(
      lie === 'jump' ? /disagrees with the second source/ : /stale: last updated/,
    )

    faults.clear()
    clock.nowMs += 60_000
    await refreshQuotes(deps, sources)
    expect((await quotes()).some((quote) => quote.stale)).toBe(false)
  },
)

test('uses the second source when the first fails, for the coins that both know', async () => {
  faults.add({ source: 'coingecko', kind: 'error', match: '/coins/markets', count: 3 })
  clock.nowMs += 120_000
  const result = await refreshQuotes(deps, sources)
  expect(result.source).toBe('coinpaprika')
  expect(result.changed).toBeGreaterThan(150)
  expect((await quotes()).find((quote) => quote.coin_id === 'bitcoin')).toMatchObject({
    source: 'coinpaprika',
  })
})

test('without a second source, holds back a price that jumps from the last value', async () => {
  faults.add({ source: 'coinpaprika', kind: 'error', count: 3 })
  faults.add({ source: 'coingecko', kind: 'lie', lie: 'jump', match: '/coins/markets', count: 1 })
  clock.nowMs += 60_000
  const result = await refreshQuotes(deps, sources)
  expect(result).toMatchObject({ source: 'coingecko', changed: 0 })
  expect((await quarantined())[0]!.reason).toMatch(/jump without a second source/)
})

test('delists a coin after two absences from the full list, keeps its price, and relists it', async () => {
  const state = async () =>
    (
      await query<{ delisted_at: Date | null; price_usd: string }>(
        database.ownerUrl,
        `select delisted_at, price_usd from coins join coin_quotes on coin_id = id where id = 'dogecoin'`,
      )
    )[0]!
  await refreshListings(deps, sources)
  world.unlisted.add('dogecoin')
  clock.nowMs += 1_000
  expect(await refreshListings(deps, sources)).toMatchObject({ delisted: 0 })
  expect((await state()).delisted_at).toBeNull()
  clock.nowMs += 1_000
  expect(await refreshListings(deps, sources)).toMatchObject({ delisted: 1 })
  expect(await state()).toEqual({ delisted_at: expect.any(Date), price_usd: expect.stringMatching(/^\d/) })
  world.unlisted.clear()
  clock.nowMs += 1_000
  await refreshListings(deps, sources)
  expect((await state()).delisted_at).toBeNull()
})

test('a list that lacks most coins delists none', async () => {
  const ids = (await quotes()).map((quote) => quote.coin_id)
  for (const id of ids.slice(0, ids.length - 10)) world.unlisted.add(id)
  await expect(refreshListings(deps, sources)).rejects.toMatchObject({ name: 'SourceRejected' })
  world.unlisted.clear()
})

test('a token priced only by DefiLlama becomes a coin; a price of low confidence is held back', async () => {
  const market = createMarket({ seed: 7, anchor: Math.floor(clock.nowMs / 86_400_000) * 86_400 })
  const tokenId = (id: string) => `${market.coin(id)!.platforms.ethereum!.address}_ethereum`
  const [trusted, doubted] = [tokenId('llama:moss'), tokenId('llama:taxed')]
  await makeCoins(deps, sources, [trusted, doubted])
  const rows = await query<{ id: string }>(
    database.ownerUrl,
    `select id from coins where source = 'defillama'`,
  )
  expect(rows).toEqual([{ id: trusted }])
  expect((await quarantined()).map((row) => row.reason)).toEqual(['held back: confidence 0.82'])
})

test('reads three years of reference rates, none on weekends; a second refresh changes nothing', async () => {
  expect(await refreshFiats(deps, sources)).toBeGreaterThan(10_000)
  expect(await refreshFiats(deps, sources)).toBe(0)
  const weekend = await query(
    database.ownerUrl,
    `select from fx_rates where extract(isodow from at at time zone 'UTC') > 5`,
  )
  expect(weekend).toEqual([])
})
