import { afterAll, beforeEach, expect, test } from 'vitest'
import { openReadonlyDb } from '../../db/connect.ts'
import { describeCollection, storeGeckoRecord, storeTrending } from '../../db/nft/write-collections.ts'
import { readTrending } from '../../db/nft/read-collections.ts'
import { collections } from '../../sandbox/nft/catalogue.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { deps } = await startPriceWorld(database)
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
afterAll(api.close)
const rows = (sql: string, values: unknown[] = []) =>
  query<Record<string, unknown>>(database.ownerUrl, sql, values)
const [first, second] = collections
  .filter(({ network }) => network === 'ethereum')
  .map(({ network, address, slug, name }) => ({ networkId: network, address, slug, name }))
if (!first || !second) throw new Error('the catalogue has too few collections')
const key = { networkId: first.networkId, address: first.address }
const origin = { source: 'opensea', fetchedAt: new Date('2026-11-24T09:00:00Z') }

beforeEach(async () => {
  await rows('truncate nft_collections, nft_gecko_records')
  await storeTrending(deps.db, { collections: [first, second], ...origin })
})

test("CoinGecko's record is stored where the native coin is mapped to another id of ours", async () => {
  await rows(
    `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at)
     values ('own-ether', 'eth', 'Ether', 'own-ether', $1, 'test', $1)`,
    [origin.fetchedAt],
  )
  await rows(
    `insert into coin_mappings (source, upstream_id, coin_id) values ('coingecko', 'ethereum', 'own-ether')
     on conflict (source, upstream_id) do update set coin_id = excluded.coin_id`,
  )
  await storeGeckoRecord(deps.db, {
    network_id: key.networkId,
    address: key.address,
    nativeCoin: 'ethereum',
    gecko_id: 'the-collection',
    rank: 7,
    floor_price: '1.5',
    floor_price_change_1d: null,
    floor_price_change_7d: null,
    market_cap: null,
    market_cap_change_1d: null,
    volume_1d: null,
    volume_change_1d: null,
    owners_count: null,
    owners_change_1d: null,
    total_supply: null,
    sales_1d: null,
    average_price_1d: null,
    source: 'coingecko',
    fetched_at: origin.fetchedAt,
  })
  expect(await rows('select gecko_id from nft_gecko_records')).toEqual([{ gecko_id: 'the-collection' }])
  const coinOf = (address: string) =>
    rows('select coin_id from nft_collections where address = $1', [address])
  expect(await coinOf(key.address)).toEqual([{ coin_id: 'own-ether' }])
  expect(await coinOf(second.address)).not.toEqual([{ coin_id: 'own-ether' }])
})

test('a description keeps the fields that its source lacks', async () => {
  const full = {
    name: 'Full',
    description: 'What it is.',
    imageUrl: 'https://example.com/image.png',
    bannerUrl: 'https://example.com/banner.png',
    category: 'art',
    urls: [{ name: 'website', url: 'https://example.com' }],
    verified: true,
    disabled: false,
    createdAt: null,
    creatorFeeBps: 250,
    totalSupply: '100',
    currencies: null,
  }
  const stored = () =>
    rows(
      'select name, description, image_url, banner_url, category, urls from nft_collections where address = $1',
      [key.address],
    )
  await describeCollection(deps.db, { ...key, slug: 'full', standard: null, record: full, ...origin })
  const before = await stored()
  const lacking = { ...full, description: '', imageUrl: null, bannerUrl: null, category: null, urls: [] }
  await describeCollection(deps.db, { ...key, slug: 'full', standard: null, record: lacking, ...origin })
  expect(before).toMatchObject([{ description: 'What it is.', urls: full.urls }])
  expect(await stored()).toEqual(before)
})

test('the trending list has no collection that is not shown', async () => {
  await rows(
    `insert into tokens (network_id, address, coin_id, spam_reason, source, fetched_at)
     values ($1, $2, 'a-token', 'airdropped', 'test', $3)
     on conflict (network_id, address) do update set spam_reason = excluded.spam_reason`,
    [key.networkId, key.address, origin.fetchedAt],
  )
  const page = await readTrending(api.db, { limit: 10, offset: 0 })
  expect(page.rows.map(({ address, isShown }) => ({ address, isShown }))).toEqual([
    { address: second.address, isShown: true },
  ])
  expect(page.itemCount).toBe(1)
})
