import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { createNftActivities } from '../../activities/nft/index.ts'
import { getNftAsset } from '../../api/nft/get-asset.ts'
import { getCollectionAssets } from '../../api/nft/get-collection-assets.ts'
import { getNftCollection } from '../../api/nft/get-collection.ts'
import { getTrendingNfts } from '../../api/nft/get-trending.ts'
import { getWalletAssets } from '../../api/nft/get-wallet-assets.ts'
import { routes } from '../../api/routes.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { tokenOf, tokens } from '../../sandbox/chain/tokens.ts'
import { collections } from '../../sandbox/nft/catalogue.ts'
import type { refreshNfts } from '../../workflows/nft/refresh-nfts.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import '../setup/provided.ts'
import { startNftWorld } from './nft-world.ts'

const TASK_QUEUE = 'nft-test'
const database = await testDatabase()
const { deps, chains, clock, sync, asked } = await startNftWorld(database)
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const addresses = wallets.slice(0, 4).map(({ address }) => address)
const nftTokens = tokens.filter(({ kind }) => kind === 'erc721' || kind === 'erc1155')
const stops: (() => unknown)[] = []
let client: Client

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: inject('workflowBundle') },
    activities: createNftActivities(deps),
    interceptors: { activity: [activityInterceptor] },
  })
  const running = worker.run()
  client = new Client({ connection: await Connection.connect({ address }) })
  stops.push(
    () => client.connection.close(),
    () => connection.close(),
    () => running,
    () => worker.shutdown(),
  )
  await sync(addresses)
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

const refresh = () =>
  client.workflow.execute<typeof refreshNfts>('refreshNfts', {
    taskQueue: TASK_QUEUE,
    workflowId: `refresh-nfts-test-${clock.nowMs}`,
  })

const count = async (table: string) =>
  (await query<{ n: number }>(database.ownerUrl, `select count(*)::int as n from ${table}`))[0]!.n

test('one run fills every table; the next one reads only what is due', async () => {
  const firstRun = new Date(clock.nowMs)
  const first = await refresh()
  expect(first).toMatchObject({ notRead: 0 })
  expect(first.tokens).toBeGreaterThan(5)
  const listed = collections.reduce((sum, { size }) => sum + (size ?? 0), 0)
  expect(await count('nft_assets where source = $$opensea$$')).toBeGreaterThan(listed)
  expect(await count('nft_gecko_records')).toBe(collections.filter(({ geckoId }) => geckoId !== null).length)
  for (const table of ['nft_traits', 'nft_listings', 'nft_sales', 'nft_points'])
    expect(await count(table), table).toBeGreaterThan(20)
  expect(await count('quarantine')).toBe(0)
  const contents = () =>
    query(
      database.ownerUrl,
      `select (select md5(string_agg(t::text, ',' order by t::text)) from (
           select network_id, address, token_id, name, image_url, traits, url, rarity_rank, position, fetched_at
           from nft_assets) as t) as assets,
         (select md5(string_agg(t::text, ',' order by t::text)) from nft_sales as t where at <= $1) as sales`,
      [firstRun],
    )
  const before = await contents()
  clock.nowMs += 30 * 60_000
  asked.length = 0
  const second = await refresh()
  expect(second.tokens).toBe(0)
  expect(await contents()).toEqual(before)
  // Only figures, offers and sales are due again.
  expect(asked.filter((target) => target.includes('/nfts')).length).toBe(0)
})

test('holdings of wallets equal what the contracts return', async () => {
  const assets = endpoint(api, { route: getWalletAssets, key })
  let holdings = 0
  for (const address of addresses) {
    const { body, credits, headers } = await assets(`/nft/wallet/${address}/assets?limit=100`)
    expect(credits).toBe(40)
    expect(headers.get('x-data-as-of')).toMatch(/^\d{4}-/)
    const told = body.data.flatMap((group: any) =>
      group.assets.map((one: any) => `${group.address} ${one.tokenId} ${one.count}`),
    )
    holdings += told.length
    expect(told.sort()).toEqual((await held(address)).sort())
    expect(body.meta).toMatchObject({ itemCount: body.data.length, pageCount: body.data.length > 0 ? 1 : 0 })
    for (const group of body.data) {
      expect(group.assetsCount).toBe(group.assets.length)
      const copies = group.assets.reduce((sum: number, one: any) => sum + Number(one.count), 0)
      expect(group.totalFloorPrice).toBeCloseTo(group.floorPrice * copies, 6)
    }
  }
  expect(holdings).toBeGreaterThan(15)
})

/** Reads a wallet's holdings from each contract, without spam. */
async function held(wallet: string): Promise<string[]> {
  const abi = parseAbi([
    'function ownerOf(uint256) view returns (address)',
    'function balanceOf(address, uint256) view returns (uint256)',
  ])
  const found: string[] = []
  for (const { network, address, kind, key: name } of nftTokens) {
    if (name === 'SPAMNFT') continue
    for (let id = 1n; id <= 60n; id++) {
      const read = async (functionName: 'ownerOf' | 'balanceOf', args: any) => {
        const data = encodeFunctionData({ abi, functionName, args })
        const result = (await chains.rpcs[network].call(
          'eth_call',
          { to: address, data },
          'latest',
        )) as `0x${string}`
        return decodeFunctionResult({ abi, functionName, data: result })
      }
      if (kind === 'erc721') {
        const owner = (await read('ownerOf', [id])) as string
        if (BigInt(owner) === 0n) break
        if (owner.toLowerCase() === wallet) found.push(`${address} ${id} 1`)
      } else if (id <= 12n) {
        const copies = (await read('balanceOf', [wallet, id])) as bigint
        if (copies > 0n) found.push(`${address} ${id} ${copies}`)
      }
    }
  }
  return found
}

test('starts the sync of a wallet that was never synced, and is 503 until balances are stored', async () => {
  const path = `/nft/wallet/0x00000000000000000000000000000000000000aa/assets`
  expect((await api.get(path, key)).status).toBe(503)
})

test('serves trending collections, every field that two sources fill, and tokens', async () => {
  const trending = await endpoint(api, { route: getTrendingNfts, key })('/nft/trending?limit=5')
  expect(trending.credits).toBe(2)
  expect(trending.body.data).toHaveLength(5)
  expect(trending.body.meta.itemCount).toBe(collections.filter((one) => one.trending).length)
  const volumes = trending.body.data.map((one: any) => one.volume)
  expect(volumes).toEqual([...volumes].sort((a, b) => b - a))

  const known = collections.find(({ geckoId, size }) => geckoId !== null && size !== null)!
  const { body, credits } = await endpoint(api, { route: getNftCollection, key })(
    `/nft/collection/${known.address}`,
  )
  expect(credits).toBe(3)
  // These need a week or a month of stored history, or an earlier share of sales in profit.
  const later = [
    'marketcapChange7d',
    'ownersCountChange7d',
    'salesInProfitChange24h',
    'salesInProfitChange7d',
  ]
  const absent = Object.keys((getNftCollection.response as any).shape).filter((name) => !(name in body))
  expect(absent.filter((name) => name !== 'salesInProfit').sort()).toEqual(later.sort())
  expect(body.floorPriceUsd).toBeCloseTo(body.floorPriceMc * 2000, 6)
  expect(body.marketcapMc).toBeCloseTo(body.floorPriceMc * known.size!, 6)
  expect(body).toMatchObject({
    count: known.size,
    creatorFee: known.creatorFeePercent * 100,
    mainCurrencyId: 'ethereum',
  })

  const page = endpoint(api, { route: getCollectionAssets, key })
  const listed = await page(`/nft/${known.address}/assets?type=listed&limit=1000`)
  expect(listed.credits).toBe(8)
  expect(listed.body.meta.itemCount).toBe(body.listedCount)
  const prices = listed.body.data.map((one: any) => one.listPrice)
  expect(prices).toHaveLength(body.listedCount)
  expect(prices).toEqual([...prices].sort((a, b) => a - b))
  expect(prices[0]).toBeCloseTo(body.floorPriceMc, 9)
  const all = await page(`/nft/${known.address}/assets?limit=50&page=3`)
  expect(all.body.data.map((one: any) => one.tokenId)).toEqual(
    Array.from({ length: 50 }, (_, i) => String(101 + i)),
  )

  const asset = await endpoint(api, { route: getNftAsset, key })(`/nft/${known.address}/asset/101`)
  expect(asset.credits).toBe(5)
  expect(asset.body).toEqual(all.body.data[0])
  const ranks = await query<{ rarity_rank: number; rarity_score: string }>(
    database.ownerUrl,
    'select rarity_rank, rarity_score from nft_assets where address = $1 order by rarity_rank',
    [known.address],
  )
  expect(ranks[0]!.rarity_rank).toBe(1)
  expect(Number(ranks[0]!.rarity_score)).toBeGreaterThan(Number(ranks.at(-1)!.rarity_score))
})

test('reads metadata that only contracts have over HTTP, from IPFS and from data URIs', async () => {
  const nameOf = async (tokenKey: string, network: 'ethereum' | 'base-wallet' = 'ethereum') => {
    const { address } = tokenOf(network, tokenKey)
    return query<{ token_id: string; name: string | null; image_url: string | null; source: string }>(
      database.ownerUrl,
      `select token_id, name, image_url, source from nft_assets where address = $1 and source like 'rpc:%' order by token_id`,
      [address],
    )
  }
  const [tide] = await nameOf('TIDE')
  expect(tide).toMatchObject({
    name: `Tide ${tide!.token_id}`,
    image_url: expect.stringMatching(/^data:image\/svg/),
  })
  const [pass] = await nameOf('PASS', 'base-wallet')
  expect(pass).toMatchObject({
    name: `Delta Passes No. ${pass!.token_id}`,
    image_url: expect.stringMatching(/\/ipfs-gateway\/ipfs\/bafy/),
  })
  const stamps = await nameOf('STAMP')
  for (const stamp of stamps) expect(stamp.name).toBe(`River Stamps No. ${stamp.token_id}`)
  // The server of the Fog Banks is gone: their tokens are served without a name.
  const fog = await query<{ name: string | null; token_id: string }>(
    database.ownerUrl,
    'select name, token_id from nft_assets where address = $1',
    [tokenOf('ethereum', 'FOG').address],
  )
  expect(fog.length).toBeGreaterThan(0)
  expect(fog.every(({ name }) => name === null)).toBe(true)
})
