import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readTrending } from '../../db/nft/read-collections.ts'
import { type Description, describeCollection, storeGeckoRecord } from '../../db/nft/write-collections.ts'
import type { NftGeckoRecord } from '../../db/nft/tables.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const rows = (sql: string) => query<Record<string, unknown>>(database.ownerUrl, sql)
const key = { networkId: 'ethereum', address: `0x${'a'.repeat(40)}` }
const NOW = new Date('2026-11-24Z')

beforeEach(async () => {
  await rows('truncate nft_collections, nft_gecko_records, tokens, coins, coin_mappings cascade')
  await insertCoin(db, { id: 'ether', symbol: 'ETH', at: NOW })
  await rows(`insert into nft_collections (network_id, address, name, coin_id, trending_rank, source, fetched_at)
    values ('ethereum', '${key.address}', 'Apes', 'unknown', 1, 'test', now())`)
})

test('stores the record of CoinGecko in the coin that is mapped to its currency', async () => {
  await rows(
    `insert into coin_mappings (source, upstream_id, coin_id) values ('coingecko', 'ethereum', 'ether')`,
  )
  await storeGeckoRecord(db, geckoRecord('ethereum'))
  expect(
    await rows('select coin_id, floor_price from nft_collections join nft_gecko_records using (address)'),
  ).toEqual([{ coin_id: 'ether', floor_price: '3' }])
})

test('stores no record of CoinGecko in an unknown currency', async () => {
  await storeGeckoRecord(db, geckoRecord('unheard-of'))
  expect(await rows('select 1 from nft_gecko_records')).toEqual([])
  expect(await rows('select coin_id from nft_collections')).toEqual([{ coin_id: 'unknown' }])
})

test('fields that a source lacks keep their values', async () => {
  const full = {
    name: 'Apes',
    description: 'Ten thousand apes',
    imageUrl: 'https://a.example/i.png',
    bannerUrl: 'https://a.example/b.png',
    urls: [{ name: 'website', url: 'https://a.example' }],
  }
  await describe(full)
  await describe({ name: 'The Apes', description: '', imageUrl: null, bannerUrl: null, urls: [] })
  const [stored] = await rows('select name, description, image_url, banner_url, urls from nft_collections')
  expect(stored).toEqual({
    name: 'The Apes',
    description: full.description,
    image_url: full.imageUrl,
    banner_url: full.bannerUrl,
    urls: full.urls,
  })
})

test('spam is neither in the trending list nor in its count', async () => {
  expect(await readTrending(reader.db, { limit: 10, offset: 0 })).toMatchObject({ itemCount: 1 })
  await rows(`insert into tokens (network_id, address, coin_id, spam_reason, source, fetched_at)
    values ('ethereum', '${key.address}', 'ape', 'a link in its name', 'test', now())`)
  expect(await readTrending(reader.db, { limit: 10, offset: 0 })).toEqual({ rows: [], itemCount: 0 })
})

function describe(given: Partial<NonNullable<Description['record']>>): Promise<void> {
  const record = {
    name: 'Apes',
    description: '',
    imageUrl: null,
    bannerUrl: null,
    category: null,
    urls: [],
    verified: null,
    disabled: null,
    createdAt: null,
    creatorFeeBps: null,
    totalSupply: null,
    currencies: null,
    ...given,
  }
  const origin = { source: 'test', fetchedAt: NOW }
  return describeCollection(db, { ...key, ...origin, slug: 'apes', standard: 'erc721', record })
}

function geckoRecord(nativeCoin: string): NftGeckoRecord & { nativeCoin: string } {
  return {
    network_id: key.networkId,
    address: key.address,
    nativeCoin,
    gecko_id: 'apes',
    rank: 1,
    floor_price: '3',
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
    fetched_at: NOW,
  }
}
