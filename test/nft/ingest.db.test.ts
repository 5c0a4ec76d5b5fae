import { afterAll, beforeEach, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createNftActivities } from '../../activities/nft/index.ts'
import type { CollectionStep } from '../../db/nft/due-collections.ts'
import { openDb } from '../../db/connect.ts'
import { collections } from '../../sandbox/nft/catalogue.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const world = await startPriceWorld(database)
const { deps, faults, url } = world
Object.assign(deps.config.sources, {
  opensea: { url: `${url}/opensea/api/v2`, key: 'test', requestsPerSecond: 400, burst: 50 },
})
const activities = createNftActivities({
  ...deps,
  ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
})
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T & Record<string, unknown>>(database.ownerUrl, sql, values)
const largest = collections.reduce((a, b) => ((a.size ?? 0) >= (b.size ?? 0) ? a : b))
const key = { networkId: largest.network, address: largest.address }

async function step(name: CollectionStep) {
  return activities.readCollections({ step: name, collections: [key] })
}

beforeEach(async () => {
  faults.clear()
  await rows(
    'truncate nft_collections, nft_points, nft_assets, nft_traits, nft_listings, nft_sales, quarantine',
  )
  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
  await activities.discoverCollections()
})

test('stores the same rows on a retry after broken answers', async () => {
  await step('description')
  await step('assets')
  await step('market')
  const contents = () =>
    rows(`select (select string_agg(t::text, ',' order by t::text) from (select token_id, name, traits, rarity_rank, list_price,
        list_position from nft_assets) as t) as assets,
      (select string_agg(t::text, ',' order by t::text) from (select order_hash, price from nft_listings) as t) as listings`)
  const undisturbed = await contents()
  await rows('truncate nft_assets, nft_listings, nft_sales')
  await rows('update nft_collections set assets_next = null, assets_at = null')
  for (const kind of ['truncate', 'malformed', 'error', 'rate_limit'] as const)
    faults.add({ source: 'opensea', kind, match: '/nfts', count: 3 })
  // A request is tried three times; then the activity fails, and its retry continues.
  for (let attempt = 0; attempt < 8; attempt++) {
    try {
      await step('assets')
      break
    } catch (error) {
      expect(error).toBeInstanceOf(SourceUnavailable)
      await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
    }
  }
  await step('market')
  expect(await contents()).toEqual(undisturbed)
})

test('stores the failure of a refused collection and reads the others', async () => {
  await rows(`update nft_collections set slug = 'no-such-slug' where address = $1`, [key.address])
  const other = collections.find(({ address }) => address !== key.address)!
  const notRead = await activities.readCollections({
    step: 'market',
    collections: [key, { networkId: other.network, address: other.address }],
  })
  expect(notRead).toBe(1)
  const [failed] = await rows<{ failure: string }>(
    'select failure, market_at from nft_collections where address = $1',
    [key.address],
  )
  expect(failed!.failure).toMatch(/^opensea: status 404/)
  expect(await rows('select from nft_points where address = $1', [other.address])).toHaveLength(1)
})

test('continues the token list after the last stored page', async () => {
  await step('description')
  await step('assets')
  const [all] = await rows<{ n: number }>('select count(*)::int as n from nft_assets')
  expect(all!.n).toBe(largest.size)
  await rows('delete from nft_assets where token_id > 200')
  await rows('update nft_collections set assets_next = $1', [
    `opensea ${Buffer.from('200').toString('base64url')}`,
  ])
  await rows('delete from nft_assets where token_id = 1')
  await step('assets')
  // The first page was not asked for again.
  const [gone] = await rows<{ n: number; first: string }>(
    'select count(*)::int as n, min(token_id) as first from nft_assets',
  )
  expect(gone).toEqual({ n: largest.size! - 1, first: '2' })
})

test('unlists tokens without offers and lists a token with several offers once, at the cheapest price', async () => {
  await step('description')
  await step('assets')
  await step('market')
  const [listed] = await rows<{ tokens: number; offers: number; counted: number; placed: number }>(
    `select (select count(distinct token_id)::int from nft_listings) as tokens, (select count(*)::int from nft_listings) as offers,
       (select listed_count from nft_collections where address = $1) as counted,
       (select max(list_position) from nft_assets) as placed`,
    [key.address],
  )
  expect(listed!.offers).toBeGreaterThan(listed!.tokens)
  expect([listed!.counted, listed!.placed]).toEqual([listed!.tokens, listed!.tokens])
  const [wrong] = await rows<{ n: number }>(
    `select count(*)::int as n from nft_assets as asset where list_price is distinct from (
       select min(price) from nft_listings as offer where offer.token_id = asset.token_id)`,
  )
  expect(wrong!.n).toBe(0)
  world.clock.nowMs += 2 * 86_400_000
  await step('market')
  const [left] = await rows<{ stale: number }>(
    `select count(*)::int as stale from nft_assets as asset where list_source is not null
       and not exists (select from nft_listings as offer where offer.token_id = asset.token_id)`,
  )
  expect(left!.stale).toBe(0)
  world.clock.nowMs -= 2 * 86_400_000
})

test('trending ranks follow the list; a dropped collection loses only its rank', async () => {
  await rows(`insert into nft_collections (network_id, address, name, coin_id, trending_rank, source, fetched_at)
    values ('ethereum', '0xdead', 'Gone', 'ethereum', 1, 'opensea', now())`)
  await activities.discoverCollections()
  const ranks = await rows<{ trending_rank: number | null; name: string }>(
    'select trending_rank, name from nft_collections order by trending_rank',
  )
  const listed = collections.filter((one) => one.trending)
  expect(ranks.map(({ trending_rank }) => trending_rank)).toEqual([...listed.map((_, i) => i + 1), null])
  expect(ranks.at(-1)!.name).toBe('Gone')
})

test('values an unpriced sale at the next reading after prices arrive', async () => {
  await step('description')
  await step('market')
  const unvalued = `select count(*)::int as n from nft_sales where price_usd is null`
  const [before] = await rows<{ n: number }>(unvalued)
  expect(before!.n).toBeGreaterThan(100)
  await insertPrices(owner.db, {
    coinId: 'ethereum',
    resolution: 'day',
    points: [[new Date(world.clock.nowMs - 300 * 86_400_000), '1500']],
  })
  await step('market')
  const [after] = await rows<{ n: number }>(unvalued)
  expect(after!.n).toBe(0)
  const [wrong] = await rows<{ n: number }>(
    'select count(*)::int as n from nft_sales where price_usd <> amount * 1500',
  )
  expect(wrong!.n).toBe(0)
})
