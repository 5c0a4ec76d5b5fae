import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { arrangeAssets } from '../../db/nft/arrange-assets.ts'
import { readCollection } from '../../db/nft/read-collections.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// Figures of collections, and the rarity of tokens, of a few rows by hand.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const NOW = new Date('2026-03-31T12:00:00Z')
const ago = (hours: number, seconds = 0) => new Date(NOW.getTime() - hours * 3_600_000 - seconds * 1_000)

const insert = async (table: string, row: Record<string, unknown>) => {
  const columns = Object.keys(row).join(', ')
  await run(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
    [JSON.stringify(row)],
  )
}
const collection = (address: string, told: Record<string, unknown> = {}) =>
  insert('nft_collections', {
    network_id: 'ethereum',
    address,
    name: address,
    coin_id: 'ethereum',
    description: '',
    urls: [],
    currencies: {},
    disabled: false,
    moved: false,
    assets_count: 0,
    source: 'test',
    fetched_at: NOW,
    ...told,
  })
const point = (address: string, at: Date, told: Record<string, unknown>) =>
  insert('nft_points', { network_id: 'ethereum', address, at, source: 'test', fetched_at: NOW, ...told })
const gecko = (address: string, told: Record<string, unknown> = {}) =>
  insert('nft_gecko_records', {
    network_id: 'ethereum',
    address,
    gecko_id: address,
    floor_price: 3,
    floor_price_change_1d: -1,
    floor_price_change_7d: -7,
    market_cap: 900,
    market_cap_change_1d: -2,
    volume_1d: 12,
    volume_change_1d: -3,
    owners_count: 110,
    owners_change_1d: 10,
    total_supply: 50,
    sales_1d: 4,
    average_price_1d: 3.5,
    source: 'test',
    fetched_at: ago(1),
    ...told,
  })

/** Figures as numbers, to six places. */
async function figures<K extends keyof NonNullable<Awaited<ReturnType<typeof readCollection>>>>(
  address: string,
  names: readonly K[],
) {
  const row = (await readCollection(reader.db, address))!
  return Object.fromEntries(
    names.map((name) => [name, row[name] === null ? null : Number(Number(row[name]).toFixed(6))]),
  )
}

beforeAll(() => insertCoin(db, { id: 'ethereum', rank: 1, priceUsd: '2000', at: NOW }))

test('a collection has changes since the last point of a day, a week and a month before its newest', async () => {
  await collection('traded', { assets_count: 10 })
  await gecko('traded')
  const counts = { owners_count: 100, sales_in_profit: 50, volume_1d: 30, volume_7d: 300, volume_30d: 900 }
  await point('traded', NOW, { floor_price: 10, ...counts, fetched_at: ago(2) })
  const other = {
    floor_price: 1,
    owners_count: 1,
    sales_in_profit: 1,
    volume_1d: 1,
    volume_7d: 1,
    volume_30d: 1,
  }
  for (const hours of [24, 7 * 24, 30 * 24]) await point('traded', ago(hours, -1), other)
  await point('traded', ago(24), { floor_price: 8, owners_count: 90, sales_in_profit: 40, volume_1d: 20 })
  await point('traded', ago(25), other)
  await point('traded', ago(7 * 24), {
    floor_price: 5,
    owners_count: 60,
    sales_in_profit: 20,
    volume_7d: 200,
  })
  await point('traded', ago(30 * 24), { volume_30d: 600 })
  const names = [
    'floor',
    'floorUsd',
    'floorChange1d',
    'floorChange7d',
    'ownersChange1d',
    'ownersChange7d',
    'supply',
    'marketCap',
    'marketCapUsd',
    'marketCapChange1d',
    'marketCapChange7d',
    'volume1dUsd',
    'volumeChange1d',
    'volumeChange7d',
    'volumeChange30d',
    'salesInProfitChange1d',
    'salesInProfitChange7d',
  ] as const
  expect(await figures('traded', names)).toEqual({
    floor: 10,
    floorUsd: 20_000,
    floorChange1d: 25,
    floorChange7d: 100,
    ownersChange1d: 10,
    ownersChange7d: 40,
    supply: 50,
    marketCap: 500,
    marketCapUsd: 1_000_000,
    marketCapChange1d: 25,
    marketCapChange7d: 100,
    volume1dUsd: 60_000,
    volumeChange1d: 50,
    volumeChange7d: 50,
    volumeChange30d: 50,
    salesInProfitChange1d: 10,
    salesInProfitChange7d: 30,
  })
  // As old as the oldest of what it shows.
  expect((await readCollection(reader.db, 'traded'))!.asOf).toEqual(ago(2))
})

test('where the marketplace says a change itself, or has no figures, these and those of CoinGecko count', async () => {
  await collection('stated')
  await point('stated', NOW, {
    volume_1d: 30,
    volume_change_1d: 1,
    volume_change_7d: 2,
    volume_change_30d: 3,
  })
  await point('stated', ago(24), { volume_1d: 20 })
  expect(await figures('stated', ['volumeChange1d', 'volumeChange7d', 'volumeChange30d'])).toEqual({
    volumeChange1d: 1,
    volumeChange7d: 2,
    volumeChange30d: 3,
  })
  await collection('unsold', { total_supply: 7 })
  await gecko('unsold')
  const names = ['floor', 'floorChange1d', 'floorChange7d', 'ownersChange1d', 'ownersChange7d'] as const
  const rest = [
    'supply',
    'marketCap',
    'marketCapChange1d',
    'volumeChange1d',
    'sales1d',
    'averagePrice1d',
  ] as const
  const ofGecko = {
    floor: 3,
    floorChange1d: -1,
    floorChange7d: -7,
    // A tenth more than 100.
    ownersChange1d: 10,
    ownersChange7d: null,
    supply: 7,
    marketCap: 900,
    marketCapChange1d: -2,
    volumeChange1d: -3,
    sales1d: 4,
    averagePrice1d: 3.5,
  }
  expect(await figures('unsold', [...names, ...rest])).toEqual(ofGecko)
})

test('a change is unknown since nothing, and since a point that is too old', async () => {
  const since = async (address: string, at: Date, floor: number) => {
    await collection(address, { assets_count: 4 })
    await point(address, NOW, { floor_price: 10 })
    await point(address, at, { floor_price: floor })
    return figures(address, ['floorChange1d', 'floorChange7d', 'supply', 'ownersChange1d'])
  }
  const none = { floorChange1d: null, floorChange7d: null, supply: 4, ownersChange1d: null }
  expect(await since('from-nothing', ago(24), 0)).toEqual(none)
  expect(await since('too-old', ago(30), 5)).toEqual(none)
  expect(await since('old', ago(30, -1), 5)).toEqual({ ...none, floorChange1d: 100 })
  expect(await since('week-too-old', ago(8 * 24), 5)).toEqual(none)
  expect(await since('week-old', ago(8 * 24, -1), 5)).toEqual({ ...none, floorChange7d: 100 })
})

test('of an address on several networks the most valuable collection is read', async () => {
  await collection('both', { total_supply: 2 })
  await collection('both', { network_id: 'base-wallet', total_supply: 1 })
  const network = async () => (await readCollection(reader.db, 'both'))!.networkId
  expect(await network()).toBe('ethereum')
  await insert('nft_points', {
    network_id: 'base-wallet',
    address: 'both',
    at: NOW,
    floor_price: 9,
    source: 'test',
    fetched_at: NOW,
  })
  expect(await network()).toBe('base-wallet')
  await point('both', NOW, { floor_price: 5 })
  expect(await network()).toBe('ethereum')
})

test('rarity is the information of the traits that a token has and lacks, in bits', async () => {
  await collection('hats', { assets_count: 5 })
  const trait = (key: string, value: string) => ({ key, kind: 'string', value })
  const skin = trait('skin', 'pale')
  for (const [token_id, traits] of [
    [1, [skin, trait('hat', 'red')]],
    [2, [skin, trait('hat', 'blue')]],
    [3, [skin, trait('hat', 'blue')]],
    [4, [skin, trait('eyes', 'green')]],
    [5, []],
    [10, [skin, trait('hat', 'blue'), trait('hat', 'red')]],
  ] as const)
    await insert('nft_assets', {
      network_id: 'ethereum',
      address: 'hats',
      token_id,
      standard: 'erc721',
      traits,
      source: 'test',
      fetched_at: NOW,
    })
  const arrange = () =>
    transact(pool, ({ client }) =>
      arrangeAssets(client, { networkId: 'ethereum', address: 'hats', source: 'test', at: NOW }),
    )
  await arrange()
  const tokens = await run<{ id: string; score: string; rank: number; position: number }>(
    `select token_id as id, rarity_score as score, rarity_rank as rank, position from nft_assets
     where address = 'hats' order by token_id`,
  )
  const log2 = (of: number) => expect.closeTo(Math.log2(of), 6)
  // Of 5 tokens with traits 2 have a red hat, 3 a blue one and 1 green eyes. One has two hats, so none lacks one.
  expect(
    tokens.map(({ id, score, rank, position }) => [
      id,
      score === null ? null : Number(score),
      rank,
      position,
    ]),
  ).toEqual([
    ['1', log2((5 / 2) * (5 / 4)), 3, 1],
    ['2', log2((5 / 3) * (5 / 4)), 4, 2],
    ['3', log2((5 / 3) * (5 / 4)), 4, 3],
    ['4', log2(5), 2, 4],
    ['5', null, null, 5],
    ['10', log2((5 / 2) * (5 / 3) * (5 / 4)), 1, 6],
  ])
  expect(await run(`select assets_count as count from nft_collections where address = 'hats'`)).toEqual([
    { count: 6 },
  ])
  expect(
    await changedRows(
      database,
      { nft_assets: 'token_id', nft_traits: 'value', nft_collections: 'address' },
      arrange,
    ),
  ).toEqual([])
})
