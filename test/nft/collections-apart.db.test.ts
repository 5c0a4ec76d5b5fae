import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { arrangeAssets, arrangeOffers } from '../../db/nft/arrange-assets.ts'
import { type CollectionStep, dueCollections, markStep } from '../../db/nft/due-collections.ts'
import { hasFloorDays, storeFloorDays } from '../../db/nft/floor-days.ts'
import { readAsset, readAssetCollection, readAssets } from '../../db/nft/read-assets.ts'
import { hasFigures, readCollection, unpricedSales } from '../../db/nft/read-for-ingest.ts'
import {
  noteHoldingsFailure,
  ownersToRead,
  readHoldingsRead,
  storeHoldings,
} from '../../db/nft/wallet-holdings.ts'
import { type AssetRow, forgetAssetsPlace, noteAssetsPlace, storeAssets } from '../../db/nft/write-assets.ts'
import { describeCollection, rankCategories, storeTrending } from '../../db/nft/write-collections.ts'
import { replaceListings, salesInProfit, storeFloor } from '../../db/nft/write-market.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'

// What is read and written of one collection leaves out another at the same address and another on the same network.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}Z`)
const NOW = at('10T00:00:00')
const [LATER, LAST] = [at('10T06:00:00'), at('10T12:00:00')]

const own = { networkId: 'ethereum', address: 'here' }
const KEYS = [own, { networkId: 'base-wallet', address: 'here' }, { networkId: 'ethereum', address: 'there' }]
const origin = { source: 'test', fetchedAt: NOW }

/** Three collections with tokens 1 to 3, of which 2 and 3 have offers, and with two sales of token 1. */
beforeAll(async () => {
  await insertCoin(db, { id: 'ethereum', rank: 1, priceUsd: '2000', at: NOW })
  for (const [index, { networkId, address }] of KEYS.entries()) {
    const key = [networkId, address, NOW]
    const factor = index + 1
    await run(
      `insert into nft_collections (network_id, address, slug, name, coin_id, category, total_supply, assets_next, trending_rank,
         source, fetched_at)
       values ($1, $2, 'slug', 'name', 'ethereum', $4, 10, 'next', $5, 'test', $3)`,
      [...key, index === 1 ? 'game' : 'art', factor],
    )
    await run(
      `insert into nft_assets (network_id, address, token_id, standard, traits, source, fetched_at)
       select $1, $2, n, 'erc721', jsonb_build_array(jsonb_build_object('key', 'hat', 'kind', 'text', 'value',
         case when n = 1 then 'red' else 'blue' end)), 'test', $3 from generate_series(1, 3) as n`,
      key,
    )
    await run(
      `insert into nft_traits (network_id, address, key, value, kind, token_count, on_sale_count, created_at, source, fetched_at)
       values ($1, $2, 'hat', 'green', 'text', 1, 0, $3, 'test', $3)`,
      key,
    )
    await run(
      `insert into nft_listings (network_id, address, order_hash, token_id, seller, quantity, amount, price, ends_at, source, fetched_at)
       select $1, $2, hash, token, 's', 1, price, price, ends_at, 'test', $3 from (values
         ('a', 2, 5 * $4, $6::timestamptz), ('b', 2, 4 * $4, $5), ('c', 2, 6 * $4, $6), ('d', 3, 4 * $4, $6), ('e', 1, 1 * $4, $3)
       ) as v (hash, token, price, ends_at)`,
      [...key, factor, LATER, LAST],
    )
    await run(
      `insert into nft_sales (network_id, address, tx_hash, order_hash, token_id, at, seller, buyer, quantity, amount,
         payment_coin_id, price, price_usd, source, fetched_at)
       select $1, $2, hash, hash, token, sold, 's', 'b', 1, price, coin, price, usd, 'test', $3 from (values
         ('a', 1, '2026-03-09T00:00:01Z'::timestamptz, 2 * $4, 'ethereum', 1),
         ('b', 1, '2026-03-08', 1 * $4, 'ethereum', null), ('c', 1, '2026-03-07', 9 * $4, null, null),
         ('d', 2, '2026-03-09T12:00:00Z', 3, 'ethereum', 1), ('e', 2, '2026-03-08', 3, 'ethereum', 1)
       ) as v (hash, token, sold, price, coin, usd)`,
      [...key, factor],
    )
    await run(
      `insert into nft_points (network_id, address, at, floor_price, volume_total, source, fetched_at)
       values ($1, $2, $3, $4, $5, 'test', $3), ($1, $2, '2026-03-01', 9, 9, 'test', '2026-03-01')`,
      [...key, factor, index === 0 ? 1 : null],
    )
  }
})

const TABLES = {
  nft_collections: `concat_ws(' ', network_id, address)`,
  nft_assets: `concat_ws(' ', network_id, address, 'token', token_id)`,
  nft_traits: `concat_ws(' ', network_id, address, 'trait', value)`,
  nft_listings: `concat_ws(' ', network_id, address, 'offer', order_hash)`,
  nft_points: `concat_ws(' ', network_id, address, 'point', at)`,
  nft_floor_days: `concat_ws(' ', network_id, address, 'day', day)`,
  nft_holdings: `concat_ws(' ', network_id, owner, 'holds', token_id)`,
  nft_holding_reads: `concat_ws(' ', network_id, owner, 'read')`,
}
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))].sort()
const of = (...rows: string[]) => rows.map((row) => `ethereum here ${row}`.trim()).sort()

test('arranging: each token has its cheapest offer that goes on, and its place', async () => {
  const arranged = await changed(() =>
    transact(pool, ({ client }) => arrangeAssets(client, { ...own, source: 'test', at: NOW })),
  )
  const traits = ['trait red', 'trait blue', 'trait green']
  expect(arranged).toEqual(of('', 'token 1', 'token 2', 'token 3', ...traits))
  const tokens = () =>
    run(`select token_id as id, list_price as price, listed_until as until, position, list_position as place, rarity_rank as rank
         from nft_assets where network_id = 'ethereum' and address = 'here' order by token_id`)
  const rarity = [1, 2, 2]
  expect(await tokens()).toEqual([
    { id: '1', price: null, until: null, position: 1, place: null, rank: rarity[0] },
    { id: '2', price: '4', until: LATER, position: 2, place: 1, rank: rarity[1] },
    { id: '3', price: '4', until: LAST, position: 3, place: 2, rank: rarity[2] },
  ])
  const counts = `select value, token_count as tokens, on_sale_count as sold, floor_ask_price as floor from nft_traits
    where network_id = 'ethereum' and address = 'here' order by value`
  expect(await run(counts)).toEqual([
    { value: 'blue', tokens: 2, sold: 2, floor: '4' },
    { value: 'red', tokens: 1, sold: 0, floor: null },
  ])
  // Its cheaper offer ends, and only the other token has the lowest price.
  const later = await changed(() =>
    transact(pool, ({ client }) => arrangeOffers(client, { ...own, source: 'test', at: LATER })),
  )
  expect(later).toEqual(of('token 2', 'token 3'))
  expect((await tokens()).map((row: any) => [row.price, row.place])).toEqual([
    [null, null],
    ['5', 2],
    ['4', 1],
  ])
})

test('tokens of one collection, by id or by price, with their last sale and their traits', async () => {
  for (const { networkId, address } of KEYS.slice(1))
    await transact(pool, ({ client }) =>
      arrangeAssets(client, { networkId, address, source: 'test', at: NOW }),
    )
  const page = (isListed: boolean, offset: number) =>
    readAssets(reader.db, { ...own, isListed, limit: 2, offset }).then((rows) =>
      rows.map(({ tokenId }) => tokenId),
    )
  expect(await page(false, 0)).toEqual(['1', '2'])
  expect(await page(false, 2)).toEqual(['3'])
  expect(await page(true, 0)).toEqual(['3', '2'])
  expect(await readAsset(reader.db, { ...own, tokenId: '1' })).toMatchObject({
    lastSalePrice: '2',
    traits: [{ key: 'hat', value: 'red', tokenCount: 1, onSaleCount: 0 }],
  })
  expect(await readAsset(reader.db, { ...own, tokenId: '9' })).toBeUndefined()
})

test('of one collection: its newest sale, sales without a price, and those in profit', async () => {
  await run(
    `update nft_sales set at = at + interval '1 hour' where (network_id, address) <> ('ethereum', 'here')`,
  )
  expect(await readCollection(db, own)).toMatchObject({ newestSaleAt: at('09T12:00:00'), assetsNext: 'next' })
  expect((await unpricedSales(db, own)).map(({ txHash }) => txHash)).toEqual(['b'])
  // Token 1 was sold for more than before, token 2 for as much.
  expect(Number(await salesInProfit(db, { ...own, at: NOW }))).toBe(50)
  expect(Number(await salesInProfit(db, { ...own, at: at('10T00:00:02') }))).toBe(0)
  expect(await salesInProfit(db, { ...own, at: LAST })).toBeNull()
  const figures = (since: Date, key = own) => hasFigures(db, { ...key, since })
  expect(await figures(at('09T23:59:59'))).toBe(true)
  expect(await figures(NOW)).toBe(false)
  expect(await figures(at('09T23:59:59'), KEYS[2])).toBe(false)
})

test('a collection by its address: that with the most tokens', async () => {
  await run(
    `update nft_collections set assets_count = 5, assets_at = $1, market_at = $2 where network_id = 'base-wallet'`,
    [LATER, LAST],
  )
  expect(await readAssetCollection(reader.db, 'here')).toEqual({
    networkId: 'base-wallet',
    address: 'here',
    assetsCount: 5,
    listedAssets: 2,
    readAt: LATER,
  })
})

const asset = (tokenId: string, told: Partial<AssetRow>): AssetRow => ({
  ...own,
  tokenId,
  standard: 'erc721',
  name: null,
  imageUrl: null,
  url: null,
  traits: [],
  metadataAt: null,
  ...told,
})

test.each<[string, () => Promise<unknown>, string[]]>([
  ['a step is done', () => markStep(db, { ...own, step: 'market', at: LATER, failure: null }), of('')],
  [
    'a page of tokens is read',
    () => noteAssetsPlace(db, { ...own, next: 'more', isSpam: false, fetchedAt: LATER }),
    of(''),
  ],
  ['the tokens are read from the start', () => forgetAssetsPlace(db, own), of('')],
  [
    'a marketplace describes it',
    () => describeCollection(db, { ...own, ...origin, slug: 'renamed', standard: null, record: null }),
    of(''),
  ],
  [
    'offers are replaced',
    () =>
      transact(pool, ({ client }) =>
        replaceListings(client, {
          ...own,
          ...origin,
          listedCount: 1,
          rows: [
            {
              orderHash: 'a',
              tokenId: '2',
              seller: 's',
              quantity: '1',
              amount: '7',
              coinId: null,
              price: '7',
              endsAt: LAST,
            },
          ],
        }),
      ),
    of('', 'offer a', 'offer b', 'offer c', 'offer d', 'offer e'),
  ],
  [
    'a floor is read beside a point of that time: the point stays',
    () => storeFloor(db, { ...own, at: NOW, floorPrice: '8', ...origin }),
    [],
  ],
  [
    'floors of days are read',
    () =>
      transact(pool, ({ client }) =>
        storeFloorDays(client, {
          ...own,
          ...origin,
          coinId: 'ethereum',
          days: [{ day: '2026-03-01', floorPrice: '1' }],
        }),
      ),
    of('day 2026-03-01'),
  ],
  [
    'tokens are described, and one is listed without a description: it keeps the known one',
    () =>
      transact(pool, ({ client }) =>
        storeAssets(client, { assets: [asset('1', { name: 'First' }), asset('2', {})], ...origin }),
      ),
    of('token 1'),
  ],
])('%s', async (_, work, rows) => {
  expect(await changed(work)).toEqual(rows)
})

test('past floors: of the collection that has them', async () => {
  expect(await Promise.all(KEYS.map((key) => hasFloorDays(db, key)))).toEqual([true, false, false])
})

test('the list of tokens is complete at its end, and a spam mark stays', async () => {
  const place = async (next: string | null, isSpam: boolean) => {
    await noteAssetsPlace(db, { ...own, next, isSpam, fetchedAt: LAST })
    return (
      await run(`select assets_next as next, disabled, assets_at as at from nft_collections
        where network_id = 'ethereum' and address = 'here'`)
    )[0]
  }
  expect(await place('more', false)).toEqual({ next: 'more', disabled: false, at: null })
  expect(await place('more', true)).toEqual({ next: 'more', disabled: true, at: null })
  expect(await place(null, false)).toEqual({ next: null, disabled: true, at: LAST })
})

test('ranks of a category, by supply times floor; a collection that is ranked no more loses its rank', async () => {
  const ranks = async () => {
    await rankCategories(db)
    const rows = await run<{ rank: number | null }>(
      'select category_rank as rank from nft_collections order by address, network_id desc',
    )
    return rows.map(({ rank }) => rank)
  }
  expect(await ranks()).toEqual([2, 1, 1])
  await run(`update nft_collections set category = null where address = 'there'`)
  expect(await ranks()).toEqual([1, 1, null])
})

test('the most traded: ranks of all others go', async () => {
  const listed = (key: (typeof KEYS)[number]) => ({ ...key, slug: 'given', name: 'given' })
  await storeTrending(db, { ...origin, collections: [listed(KEYS[2]!), listed(own), listed(KEYS[2]!)] })
  expect(
    await run(
      'select network_id || address as key, slug, trending_rank as rank from nft_collections order by rank',
    ),
  ).toEqual([
    { key: 'ethereumthere', slug: 'slug', rank: 1 },
    { key: 'ethereumhere', slug: 'renamed', rank: 2 },
    { key: 'base-wallethere', slug: 'slug', rank: null },
  ])
})

test('due are the collections whose last reading is old: moved ones first, those of Solana apart', async () => {
  const due = async (step: CollectionStep, first = 9, networkId: string | null = null) =>
    (await dueCollections(db, { step, at: NOW, limit: 9, first, networkId })).map(
      (key) => `${key.networkId} ${key.address}`,
    )
  const set = (values: string, where = 'true') => run(`update nft_collections set ${values} where ${where}`)
  await set('described_at = null, assets_at = null, market_at = null, assets_next = null, moved = false')
  const [ownName, sameAddress, sameNetwork] = KEYS.map((key) => `${key.networkId} ${key.address}`) as [
    string,
    string,
    string,
  ]
  expect(await due('description')).toEqual([sameAddress, ownName, sameNetwork])
  expect(await due('description', 9, 'ethereum')).toEqual([ownName, sameNetwork])
  expect(await due('description', 1)).toEqual([sameNetwork])
  await set('moved = true', `network_id = 'base-wallet'`)
  expect(await due('description', 1)).toEqual([sameAddress])
  // A day after the last reading, not before.
  await set(`described_at = '2026-03-09', assets_at = '2026-03-09'`)
  expect(await due('description')).toEqual([])
  await set(`described_at = '2026-03-08T23:59:59Z'`, `address = 'there'`)
  expect(await due('description')).toEqual([sameNetwork])
  // A list of tokens that was not read to its end goes on.
  await set(`assets_next = 'more'`, `address = 'here' and network_id = 'ethereum'`)
  expect(await due('assets')).toEqual([ownName])
  await set('slug = null', `address = 'here'`)
  expect(await due('assets')).toEqual([])
  expect(await due('market')).toEqual([sameNetwork])
  // Those of Solana count beside the first ones, and of those that no marketplace has only listed ones.
  for (const address of ['listed', 'sent'])
    await run(
      `insert into nft_collections (network_id, address, name, coin_id, source, fetched_at)
       values ('solana', $1, 'name', 'solana', 'test', $2)`,
      [address, NOW],
    )
  for (const [network, address] of [
    ['solana', 'listed'],
    ['ethereum', 'here'],
  ])
    await run(
      `insert into nft_gecko_records (network_id, address, gecko_id, source, fetched_at) values ($1, $2, 'id', 'test', $3)`,
      [network, address, NOW],
    )
  expect(await due('assets')).toEqual(['solana listed'])
  expect(await due('description', 0)).toEqual(['solana listed', 'solana sent'])
})

test('NFTs of a wallet: replaced as a whole, and of no other', async () => {
  await activateNetworks(db, ['solana'])
  for (const wallet of ['first', 'second', 'third']) {
    await run('insert into wallets (address) values ($1)', [wallet])
    await run(
      `insert into wallet_syncs (wallet_id, network_id) select id, network_id from wallets,
         unnest(array['solana', 'ethereum']) as network_id where address = $1`,
      [wallet],
    )
  }
  const toRead = (before = LATER) => ownersToRead(db, { networkId: 'solana', before, limit: 9 })
  expect(await toRead()).toEqual(['first', 'second', 'third'])
  const hold = (owner: string, tokenIds: string[], fetchedAt: Date, networkId = 'solana') =>
    changed(() =>
      transact(pool, ({ client }) =>
        storeHoldings(client, {
          networkId,
          owner,
          source: 'test',
          fetchedAt,
          holdings: tokenIds.map((tokenId) => ({
            address: 'sent',
            tokenId,
            collectionName: 'Sent',
            collectionImageUrl: null,
          })),
        }),
      ),
    )
  const both = ['solana first holds 1', 'solana first holds 2', 'solana first read']
  expect(await hold('first', ['1', '2'], NOW)).toEqual([...both, 'solana sent'])
  await hold('second', ['1', '2'], LATER)
  await hold('first', ['1', '2'], LAST, 'ethereum')
  expect(await hold('first', ['2'], NOW)).toEqual(['solana first holds 1'])
  expect(await toRead()).toEqual(['third', 'first'])
  expect(await toRead(LAST)).toEqual(['third', 'first', 'second'])
  const fail = () =>
    changed(() =>
      noteHoldingsFailure(db, {
        networkId: 'solana',
        owner: 'first',
        source: 'test',
        fetchedAt: LAST,
        failure: 'no',
      }),
    )
  expect(await fail()).toEqual(['solana first read'])
  const read = (networkId: string, owner: string) => readHoldingsRead(reader.db, { networkId, owner })
  expect(await read('solana', 'first')).toEqual({ readAt: NOW, failure: 'no' })
  expect(await read('ethereum', 'first')).toEqual({ readAt: LAST, failure: null })
  expect(await read('solana', 'third')).toBeUndefined()
  await run(`update networks set active = false where id = 'solana'`)
  expect(await toRead()).toEqual([])
})
