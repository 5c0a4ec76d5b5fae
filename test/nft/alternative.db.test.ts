import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { discoverCollections } from '../../activities/nft/discover-collections.ts'
import { createNftActivities } from '../../activities/nft/index.ts'
import type { NftSources } from '../../activities/nft/nft-sources.ts'
import type { CollectionStep } from '../../db/nft/due-collections.ts'
import { collections } from '../../sandbox/nft/catalogue.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { deps, faults, clock, url } = await startPriceWorld(database)
const rate = { requestsPerSecond: 400, burst: 50 }
Object.assign(deps.config.sources, {
  opensea: { url: `${url}/opensea/api/v2`, key: 'test', ...rate },
  'alchemy-nft': { url: `${url}/alchemy-nft/v3`, key: 'alchemy-key', ...rate },
})
const activities = createNftActivities({
  ...deps,
  ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
})
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T & Record<string, unknown>>(database.ownerUrl, sql, values)
const one = collections.find(({ network, size }) => network === 'ethereum' && size !== null && size > 200)!
const based = collections.find(({ network, size }) => network === 'base-wallet' && size !== null)!
const key = { networkId: one.network, address: one.address }
const baseKey = { networkId: based.network, address: based.address }

const step = (name: CollectionStep, keys = [key]) =>
  activities.readCollections({ step: name, collections: keys })
const openSeaIsBack = () =>
  rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)

async function openSeaFails() {
  faults.add({ source: 'opensea', kind: 'error', count: 1_000 })
  await openSeaIsBack()
}

beforeEach(async () => {
  faults.clear()
  await openSeaIsBack()
  await rows(
    'truncate nft_collections, nft_points, nft_assets, nft_traits, nft_listings, nft_sales, quarantine',
  )
  await activities.discoverCollections()
})

const collection = async () => {
  const [found] = await rows<Record<string, unknown>>('select * from nft_collections where address = $1', [
    one.address,
  ])
  return found!
}

test('reads description, tokens and floor from Alchemy when OpenSea fails, with Alchemy as source', async () => {
  const stats = await fetch(`${url}/opensea/api/v2/collections/${one.slug}/stats`, {
    headers: { 'x-api-key': 'test' },
  })
  const { total } = (await stats.json()) as { total: { floor_price: number } }
  await openSeaFails()
  for (const name of ['description', 'assets', 'market'] as const) expect(await step(name)).toBe(0)
  expect(await collection()).toMatchObject({
    source: 'alchemy-nft',
    slug: one.slug,
    name: one.name,
    standard: one.standard,
    failure: null,
    verified: one.verified,
    disabled: false,
    assets_next: null,
    assets_count: one.size,
  })
  const assets = await rows<{ source: string; n: number; named: number; ranked: number }>(
    `select source, count(*)::int as n, count(name)::int as named, count(rarity_rank)::int as ranked
     from nft_assets group by source`,
  )
  expect(assets).toEqual([{ source: 'alchemy-nft', n: one.size, named: one.size, ranked: one.size }])
  const [point] = await rows<Record<string, unknown>>('select * from nft_points')
  expect(point).toMatchObject({ source: 'alchemy-nft', volume_total: null, owners_count: null })
  expect(Number(point!['floor_price'])).toBe(total.floor_price)
  expect(await rows('select from quarantine')).toEqual([])
  // Alchemy's URL contains the key; nothing stored may contain it.
  const [stored] = await rows<{ text: string }>(
    `select coalesce(string_agg(t::text, ''), '') as text from source_states as t`,
  )
  expect(stored!.text).not.toContain('alchemy-key')
})

test('does not ask Alchemy while OpenSea answers; fields that Alchemy lacks survive an outage', async () => {
  const requests = () => rows(`select sum(requests) as n from source_hours where source = 'alchemy-nft'`)
  const asked = await requests()
  await step('description')
  await step('assets')
  expect(await requests()).toEqual(asked)
  const before = await collection()
  const pages = () => rows('select token_id, url from nft_assets order by token_id')
  const urls = await pages()
  await openSeaFails()
  await step('description')
  await step('assets')
  const kept = ['category', 'creator_fee_bps', 'currencies', 'created_at', 'disabled', 'slug', 'verified']
  const after = await collection()
  expect(after['source']).toBe('alchemy-nft')
  for (const name of kept) expect([name, after[name]]).toEqual([name, before[name]])
  expect(await pages()).toEqual(urls)
})

test('keeps figures of the last hour with the collection due; later stores the floor only', async () => {
  await step('description')
  await step('market')
  const { market_at: readAt } = await collection()
  await openSeaFails()
  clock.nowMs += 30 * 60_000
  await step('market')
  expect(await rows('select from nft_points')).toHaveLength(1)
  expect((await collection())['market_at']).toEqual(readAt)
  clock.nowMs += 60 * 60_000
  await step('market')
  expect(await rows('select source from nft_points order by at')).toEqual([
    { source: 'opensea' },
    { source: 'alchemy-nft' },
  ])
  clock.nowMs -= 90 * 60_000
})

test('a network that Alchemy does not serve stays due and does not stop others', async () => {
  await openSeaFails()
  expect(await step('description', [baseKey, key])).toBe(1)
  expect((await collection())['source']).toBe('alchemy-nft')
  const [left] = await rows('select described_at, failure from nft_collections where address = $1', [
    based.address,
  ])
  expect(left).toEqual({ described_at: null, failure: null })
  expect(await activities.discoverCollections()).toMatchObject({ trending: 0 })
})

test('records that CoinGecko does not give now stay due, and do not hold up the steps after them', async () => {
  faults.add({ source: 'coingecko', kind: 'error', count: 3 })
  expect(await step('gecko', [key])).toBe(1)
  const due = await activities.listDueCollections({ step: 'gecko', limit: 100 })
  expect(due).toContainEqual(key)
  expect((await collection())['failure']).toBeNull()
})

test('reads only Alchemy without an OpenSea key; an unserved network is stored as a failure', async () => {
  const { opensea: _, ...others } = deps.config.sources
  const alone = createNftActivities({
    ...deps,
    ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
    config: { ...deps.config, sources: others },
  })
  const keys = [baseKey, key]
  expect(await alone.readCollections({ step: 'description', collections: keys })).toBe(1)
  expect(await collection()).toMatchObject({ source: 'alchemy-nft', failure: null })
  const [base] = await rows('select failure from nft_collections where address = $1', [based.address])
  expect(base).toEqual({ failure: 'alchemy-nft: it does not serve base-wallet' })
})

test('a network that OpenSea lacks is described by Alchemy, without a question to OpenSea', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ address: one.address, name: 'Frogs', tokenType: 'ERC1155' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const alchemyNft = { url: `http://127.0.0.1:${port}/{network}/nft/v3`, key: 'alchemy-key', ...rate }
  const ofAll = createNftActivities({
    ...deps,
    ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
    http: createHttpClient({
      gate: createSourceGate({ db: deps.db, limits: { 'alchemy-nft': rate, opensea: rate } }),
      sources: { ...deps.config.sources, 'alchemy-nft': alchemyNft },
      random: () => 0,
    }),
    config: { ...deps.config, sources: { ...deps.config.sources, 'alchemy-nft': alchemyNft } },
  })
  const onBnb = { networkId: 'binancesmartchain', address: one.address }
  const onPlasma = { networkId: 'plasma-wallet', address: one.address }
  try {
    for (const { networkId, address } of [onBnb, onPlasma])
      await rows(
        `insert into nft_collections (network_id, address, name, coin_id, moved, source, fetched_at)
         select id, $2, $2, coin_id, true, 'test', now() from networks where id = $1`,
        [networkId, address],
      )
    expect(await ofAll.readCollections({ step: 'description', collections: [onBnb, onPlasma] })).toBe(0)
  } finally {
    server.close()
  }
  expect(asked).toEqual([
    `/bnb-mainnet/nft/v3/alchemy-key/getContractMetadata?contractAddress=${one.address}`,
  ])
  const described = await rows(
    `select network_id, name, standard, source, failure from nft_collections
     where network_id in ('binancesmartchain', 'plasma-wallet') order by network_id`,
  )
  expect(described).toEqual([
    {
      network_id: 'binancesmartchain',
      name: 'Frogs',
      standard: 'erc1155',
      source: 'alchemy-nft',
      failure: null,
    },
    // Its contract says its name, and OpenSea's reader notes that there is nothing more.
    { network_id: 'plasma-wallet', name: one.address, standard: null, source: 'test', failure: null },
  ])
})

test('restarts the token list when the stored cursor belongs to another source', async () => {
  await step('description')
  await rows(`update nft_collections set assets_next = 'opensea MjAw' where address = $1`, [one.address])
  await openSeaFails()
  await step('assets')
  const [count] = await rows('select count(*)::int as n, min(token_id) as first from nft_assets')
  expect(count).toEqual({ n: one.size, first: '1' })
})

test('the list of the most traded may fail only where Alchemy reads the known ones, and only as a source does', async () => {
  const discover = (error: Error, alchemy: boolean) =>
    discoverCollections(deps, {
      opensea: { trending: () => Promise.reject(error) },
      alchemy: alchemy ? {} : null,
    } as unknown as NftSources)
  const [down, refused] = [new SourceUnavailable('opensea', 'down'), new SourceRejected('opensea', 'no')]
  for (const error of [down, refused]) {
    expect(await discover(error, true)).toMatchObject({ trending: 0 })
    await expect(discover(error, false)).rejects.toBe(error)
  }
  const mistake = new TypeError('a mistake')
  await expect(discover(mistake, true)).rejects.toBe(mistake)
})

test('a mistake while a collection is read is no failure of its source, and stops the others', async () => {
  const asked: string[] = []
  const broken = createNftActivities({
    ...deps,
    ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
    http: {
      ...deps.http,
      fetchJson: ({ source }) => {
        asked.push(source)
        return Promise.reject(new TypeError('a mistake'))
      },
    },
  })
  await expect(broken.readCollections({ step: 'description', collections: [key, baseKey] })).rejects.toThrow(
    'a mistake',
  )
  expect(asked).toEqual(['opensea'])
  expect(await collection()).toMatchObject({ failure: null, described_at: null })
})
