import { beforeEach, expect, test } from 'vitest'
import { createNftActivities } from '../../activities/nft/index.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { getNftAsset } from '../../api/nft/get-asset.ts'
import { getCollectionAssets } from '../../api/nft/get-collection-assets.ts'
import { getNftCollection } from '../../api/nft/get-collection.ts'
import { getWalletAssets } from '../../api/nft/get-wallet-assets.ts'
import { routes } from '../../api/routes.ts'
import type { CollectionStep } from '../../db/nft/due-collections.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { solanaAssets, solanaCollections } from '../../sandbox/solana/assets.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

const [TRADER, HOLDER, SPENDER] = solanaWallets.map(({ address }) => address) as [string, string, string]
const [rafts, drops] = solanaCollections as [
  (typeof solanaCollections)[number],
  (typeof solanaCollections)[number],
]
const SOL_USD = 150

const database = await testDatabase()
const { deps, faults, clock, url } = await startPriceWorld(database)
const rate = { requestsPerSecond: 400, burst: 50 }
Object.assign(deps.config.sources, { solana: { url: `${url}/solana`, key: null, ...rate } })
Object.assign(deps.config.sources['coingecko']!, rate)
const activities = createNftActivities({
  ...deps,
  ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
})
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const assets = endpoint(api, { route: getWalletAssets, key })
const collection = endpoint(api, { route: getNftCollection, key })
const tokens = endpoint(api, { route: getCollectionAssets, key })
const token = endpoint(api, { route: getNftAsset, key })
const refused = async (path: string) => refusal(await api.get(path, key))
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T & Record<string, unknown>>(database.ownerUrl, sql, values)

await insertCoin(deps.db, { id: 'solana', symbol: 'SOL', name: 'Solana', rank: 5, at: new Date() })
await rows(
  `insert into coin_quotes (coin_id, price_usd, at, source, fetched_at) values ('solana', $1, now(), 'test', now())`,
  [SOL_USD],
)
await rows(`update networks set active = true where id = 'solana'`)
for (const { address } of solanaWallets)
  await rows(
    `with added as (insert into wallets (address) values ($1) returning id)
     insert into wallet_syncs (wallet_id, network_id, synced_at) select id, 'solana', now() from added`,
    [address],
  )

beforeEach(async () => {
  faults.clear()
  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
})

const readHoldings = () => activities.readNftHoldings({ limit: 10 })
async function readDue(step: CollectionStep) {
  const due = await activities.listDueCollections({ step, limit: 50 })
  return activities.readCollections({ step, collections: due })
}
const heldBy = async (owner: string) => (await assets(`/nft/wallet/${owner}/assets`)).body

test('until they are read, the answer names Solana as pending', async () => {
  const { meta, data } = await heldBy(TRADER)
  expect([meta.pending, data]).toEqual([[`solana:${TRADER}`], []])
})

test('a wallet holds what the node lists: compressed, frozen and delegated tokens, no burnt ones', async () => {
  expect(await readHoldings()).toEqual({ read: 3, refused: 0 })
  expect(await readHoldings()).toEqual({ read: 0, refused: 0 })
  for (const owner of [TRADER, HOLDER, SPENDER]) {
    const { meta, data } = await heldBy(owner)
    const told = data.flatMap((group: any) =>
      group.assets.map((one: any) => `${group.address} ${one.tokenId} ${one.count}`),
    )
    const expected = solanaAssets
      .filter((one) => one.owner === owner && one.state !== 'burnt')
      .map((one) => `${one.verified ? one.collection!.address : one.id} ${one.id} 1`)
    expect(told.sort()).toEqual(expected.sort())
    expect(meta.pending).toBeUndefined()
  }
  const [group] = (await heldBy(HOLDER)).data
  expect(group).toMatchObject({
    name: drops.name,
    id: `${drops.address}_solana`,
    blockchain: 'solana',
    assetsCount: drops.size,
  })
  const lone = (await heldBy(TRADER)).data.find(({ name }: any) => name === 'Lone Otter #1')
  expect(lone).toMatchObject({ assetsCount: 1, address: lone.assets[0].tokenId })
  expect(await rows('select * from quarantine')).toEqual([])
})

test("collections have the node's description, CoinGecko's floor and, if CoinGecko lists them, all tokens", async () => {
  for (const step of ['description', 'gecko', 'assets', 'market'] as const)
    expect(await readDue(step)).toBe(0)
  const { body } = await collection(`/nft/collection/${rafts.address}`)
  expect(body).toMatchObject({
    name: rafts.name,
    blockchain: 'solana',
    slugCs: rafts.geckoId,
    floorPriceMc: rafts.floor,
    floorPriceUsd: rafts.floor * SOL_USD,
    mainCurrencyId: 'solana',
    count: rafts.size - rafts.size / 4,
    description: `${rafts.name} on the river.`,
  })
  const [group] = (await heldBy(TRADER)).data
  expect(group).toMatchObject({
    address: rafts.address,
    floorPrice: rafts.floor * SOL_USD,
    totalFloorPrice: 6 * rafts.floor * SOL_USD,
  })
  const unlisted = (await collection(`/nft/collection/${drops.address}`)).body
  expect([unlisted.name, unlisted.floorPriceMc]).toEqual([drops.name, undefined])

  const page = (await tokens(`/nft/${rafts.address}/assets?limit=100`)).body
  expect(page.meta.itemCount).toBe(rafts.size - rafts.size / 4)
  const [one] = page.data
  expect((await token(`/nft/${rafts.address}/asset/${one.tokenId}`)).body).toEqual(one)
  const known = solanaAssets.find(({ id }) => id === one.tokenId)!
  expect(one).toMatchObject({
    name: `${rafts.name} #${known.number}`,
    standard: 'core',
    url: `https://solscan.io/token/${one.tokenId}`,
    source: 'solana',
  })
  expect(one.attributes.map(({ key }: any) => key).sort()).toEqual(['Bank', 'Water'])
  expect(await refused(`/nft/${rafts.address}/asset/7`)).toEqual([
    404,
    `NFT '7' of '${rafts.address}' not found`,
  ])
})

test('what a wallet gave away is gone at the next reading', async () => {
  await rows(`insert into nft_holdings select network_id, $2, address, token_id, source, fetched_at
     from nft_holdings where owner = $1 limit 1`, [TRADER, SPENDER]) // prettier-ignore
  expect((await heldBy(SPENDER)).data).toHaveLength(1)
  clock.nowMs += 3_700_000
  expect(await readHoldings()).toEqual({ read: 3, refused: 0 })
  expect((await heldBy(SPENDER)).data).toEqual([])
})

test('a node without the standard: the request is told so, and what was read before stays', async () => {
  const other = createNftActivities({
    ...deps,
    config: {
      ...deps.config,
      sources: { ...deps.config.sources, solana: { ...deps.config.sources['solana']!, url: `${url}/plain` } },
    },
    ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
  })
  clock.nowMs += 3_700_000
  expect(await other.readNftHoldings({ limit: 10 })).toEqual({ read: 0, refused: 3 })
  expect((await heldBy(TRADER)).data.length).toBeGreaterThan(1)
  await rows('delete from nft_holding_reads where owner = $1', [SPENDER])
  await other.readFirstHoldings({ address: SPENDER })
  expect(await refused(`/nft/wallet/${SPENDER}/assets`)).toEqual([
    400,
    expect.stringContaining('Digital Asset Standard'),
  ])
})

test('an address fits the networks of its kind alone', async () => {
  expect(await refused(`/nft/wallet/${TRADER}/assets?connectionId=ethereum`)).toEqual([
    400,
    'Invalid parameter: connectionId',
  ])
  expect((await assets(`/nft/wallet/${TRADER}/assets?connectionId=solana`)).body.data.length).toBeGreaterThan(
    1,
  )
  const [status] = await refused(`/nft/collection/${rafts.address.slice(0, 20)}`)
  expect(status).toBe(404)
})
