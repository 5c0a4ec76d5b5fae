import { expect, test } from 'vitest'
import { nftArea } from '../../activities/nft/area.ts'
import { createNftActivities } from '../../activities/nft/index.ts'
import { nftRequests } from '../../activities/nft/requests.ts'
import type { CollectionStep } from '../../db/nft/due-collections.ts'
import { NFT_PACE } from '../../db/values/nft-pace.ts'
import { createWorld } from '../../sandbox/world.ts'
import { seedSandboxCoins } from '../chain/seed-sandbox-coins.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import { liveWorker } from './live-worker.ts'
import { startOpenSea } from './opensea.ts'

// What NFTs are planned to ask in a day, against what one run of each step asks of the double of OpenSea.

const database = await testDatabase()

test('NFTs by OpenSea: what is planned is what each step asks', async () => {
  await seedSandboxCoins(database.ownerUrl)
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const mounts = createWorld({ seed: 1, anchor: clock.now() / 1_000, rpcUrls: [] })
  const { upstream } = mounts.find(({ base }) => base === '/opensea/api/v2')!
  const double = stopLater(await startOpenSea({ clock, upstream }))
  const settings = { OPENSEA_URL: double.apiUrl, OPENSEA_API_KEY: 'instant' }
  const deps = await liveWorker(database, { clock, settings })
  const activities = createNftActivities({
    ...deps,
    nodes: () => Promise.reject(new Error('no node')),
  } as never)
  const declared = async () =>
    nftRequests(deps.db, {
      planOf: (name) => (deps.config.sources[name] ? 'full' : null),
      isFollowed: () => true,
      nodeOf: () => null,
      schedule: (id) => nftArea.schedules.find((one) => one.id === id)!,
    })
  const ofRun = async (reads: readonly string[]) =>
    (await declared()).askings
      .filter(({ what }) => reads.includes(what))
      .reduce((sum, { requests, seconds }) => sum + Math.round((requests * seconds!) / 86_400), 0)
  /** Reads of one pass of a step, without those that make a key. */
  const askedBy = async (work: () => Promise<unknown>) => {
    const before = double.asked.length
    await work()
    return double.asked.slice(before).filter(({ path }) => !path.endsWith('/auth/keys')).length
  }
  const pass = (step: CollectionStep) => async () => {
    const collections = await activities.listDueCollections({ step, limit: NFT_PACE[step].perRun })
    expect(await activities.readCollections({ step, collections })).toBe(0)
  }

  expect(await askedBy(activities.discoverCollections)).toBe(await ofRun(['the most traded collections']))
  expect((await declared()).counts['NFT collections']).toBeGreaterThan(3)
  expect(await askedBy(pass('description'))).toBe(await ofRun(['descriptions of collections']))
  expect(await askedBy(pass('assets'))).toBe(await ofRun(['tokens of collections']))
  // The first reading of the market has all sales of the past.
  await pass('market')()
  const market = (await declared()).askings.find(({ what }) => what === 'offers')!
  clock.advance(market.seconds! * 1_000 + 60_000)
  expect(await askedBy(pass('market'))).toBe(await ofRun(['figures of collections', 'offers', 'sales']))
  expect(double.refused).toEqual([])
})

test('pages of tokens and offers are counted by collection', async () => {
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const deps = await liveWorker(database, { clock, settings: {} })
  await query(database.ownerUrl, 'truncate nft_collections, nft_assets, nft_listings, nft_sales cascade')
  for (const [name, tokens] of [
    ['Small', 3],
    ['Large', 450],
  ] as const) {
    await query(
      database.ownerUrl,
      `insert into nft_collections (network_id, address, slug, name, coin_id, source, fetched_at)
       values ('ethereum', $1, $1, $1, 'ethereum', 'test', now())`,
      [name],
    )
    await query(
      database.ownerUrl,
      `insert into nft_assets (network_id, address, token_id, standard, source, fetched_at)
       select 'ethereum', $1, n, 'erc721', 'test', now() from generate_series(1, $2::int) as n`,
      [name, tokens],
    )
  }
  const { counts } = await nftRequests(deps.db, {
    planOf: () => null,
    isFollowed: () => true,
    nodeOf: () => null,
    schedule: (id) => nftArea.schedules.find((one) => one.id === id)!,
  })
  expect(counts).toMatchObject({
    'NFT collections': 2,
    'pages of NFT tokens': 4,
    'pages of NFT offers': 2,
    'pages of NFT sales': 2,
  })
})
