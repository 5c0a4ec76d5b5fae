import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { coinsOfContracts, quotesOf, undescribedTokens } from '../../db/nft/read-for-ingest.ts'
import { readHeldCollections, readHeldTokens } from '../../db/nft/read-wallet.ts'
import type { NftGeckoRecord } from '../../db/nft/tables.ts'
import { describeCollection, storeGeckoRecord, storeMovedContracts } from '../../db/nft/write-collections.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// What a wallet holds has no part of another's, and nothing of a contract at the same address on another network.

const database = await testDatabase()
const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const day = (number: number) => new Date(Date.UTC(2026, 2, number))
const NOW = day(20)
const ZERO = '0x0000000000000000000000000000000000000000'

const here = { networkId: 'ethereum', address: 'here' }
const there = { networkId: 'ethereum', address: 'there' }
const twin = { networkId: 'base-wallet', address: 'here' }

beforeAll(async () => {
  const contracts = (address: string, ...blockchains: string[]) =>
    blockchains.map((blockchain) => ({ blockchain, address, decimals: 18 }))
  await insertCoin(db, { id: 'ethereum', priceUsd: '2000', at: day(9) })
  await insertCoin(db, {
    id: 'gold',
    priceUsd: '10',
    at: day(9),
    contracts: [...contracts('0xa', 'base'), ...contracts('0xb', 'base', 'ethereum')],
  })
  await insertCoin(db, { id: 'silver', priceUsd: '3', at: day(9), contracts: contracts('0xa', 'ethereum') })
  await run(
    `insert into nft_collections (network_id, address, name, coin_id, disabled, source, fetched_at)
     select network, address, 'NFT ' || address || ' on ' || network, coin, address = 'off', 'test', $1 from (values
       ('ethereum', 'here', 'ethereum'), ('ethereum', 'there', 'ethereum'), ('base-wallet', 'here', 'gold'),
       ('ethereum', 'bad', 'ethereum'), ('ethereum', 'off', 'ethereum'), ('ethereum', 'still', 'ethereum'),
       ('solana', 'sent', 'silver')) as one (network, address, coin)`,
    [NOW],
  )
  await run(
    `insert into tokens (network_id, address, symbol, coin_id, spam_reason, source, fetched_at)
     select network, address, 'symbol of ' || address, address, case address when 'bad' then 'advertises' end, 'test', $1
     from (values ('ethereum', 'here'), ('ethereum', 'there'), ('base-wallet', 'here'), ('ethereum', 'bad'), ('ethereum', 'off'),
       ('ethereum', 'plain'), ('base-wallet', 'plain'), ('ethereum', 'still'), ('ethereum', 'money')) as one (network, address)`,
    [NOW],
  )
  // "me" gave token 2 away, and got money beside.
  await run(
    `insert into transfers (network_id, tx_hash, kind, position, token_address, token_id, from_address, to_address, raw,
       block_number, block_hash, at, source, fetched_at)
     select network, 'tx', kind, row_number() over (), address, token, giver, taker, raw, 1, 'hash', $1, 'test', $1
     from (values
       ('ethereum', 'here', 'erc721', 1, '', 'me', 1), ('ethereum', 'here', 'erc721', 2, '', 'me', 1),
       ('ethereum', 'here', 'erc721', 2, 'me', 'you', 1), ('ethereum', 'here', 'erc721', 3, '', 'you', 1),
       ('ethereum', 'here', 'erc721', 4, '', 'you', 1), ('ethereum', 'here', 'erc721', 5, '', 'you', 1),
       ('ethereum', 'there', 'erc1155', 7, '', 'me', 4), ('ethereum', 'there', 'erc1155', 7, 'me', 'you', 1),
       ('ethereum', 'there', 'erc1155', 8, '', 'you', 9), ('base-wallet', 'here', 'erc721', 9, '', 'me', 1),
       ('ethereum', 'bad', 'erc721', 1, '', 'me', 1), ('ethereum', 'off', 'erc721', 1, '', 'me', 1),
       ('ethereum', 'plain', 'erc721', 1, '', 'me', 1), ('ethereum', 'money', 'erc20', null, '', 'me', 50),
       ('polygon-wallet', 'here', 'erc721', 1, '', 'me', 1)
     ) as moved (network, address, kind, token, giver, taker, raw)`,
    [NOW],
  )
  await run(
    `insert into nft_holdings (network_id, owner, address, token_id, source, fetched_at) values
       ('solana', 'me', 'sent', 5, 'test', $1), ('solana', 'you', 'sent', 6, 'test', $1), ('polygon-wallet', 'me', 'sent', 7, 'test', $1)`,
    [NOW],
  )
  await run(
    `insert into nft_points (network_id, address, at, floor_price, source, fetched_at)
     select network, address, time, floor, 'test', time from (values ('ethereum', 'here', $1::timestamptz, 9), ('ethereum', 'here', $2, 1),
       ('ethereum', 'there', $1, 9), ('ethereum', 'there', $2, null)) as point (network, address, time, floor)`,
    [day(7), day(8)],
  )
  await run(
    `insert into nft_gecko_records (network_id, address, gecko_id, floor_price, source, fetched_at)
     values ('ethereum', 'here', 'a', 6, 'test', $1), ('ethereum', 'there', 'b', 0.5, 'test', $2), ('base-wallet', 'here', 'c', 7, 'test', $3)`,
    [day(1), day(6), day(12)],
  )
  await run(
    `insert into nft_sales (network_id, address, tx_hash, order_hash, token_id, at, seller, buyer, quantity, amount, price_usd, source,
       fetched_at)
     select network, address, 'tx', n::text, token, time, 's', 'b', 1, 1, usd, 'test', $1 from (values
       (1, 'ethereum', 'here', 1, $2::timestamptz, 10), (2, 'ethereum', 'here', 1, $3, 20), (3, 'ethereum', 'here', 2, $1, 30),
       (4, 'ethereum', 'there', 1, $1, 40), (5, 'base-wallet', 'here', 1, $1, 50)) as sold (n, network, address, token, time, usd)`,
    [NOW, day(1), day(2)],
  )
  // Of "here": 1 has a name, 2 an image, 3 was asked for lately, 4 long ago, and nobody asked for 5.
  await run(
    `insert into nft_assets (network_id, address, token_id, standard, name, image_url, metadata_at, source, fetched_at)
     select network, address, token, 'erc721', name, image, asked, 'test', $1 from (values
       ('ethereum', 'here', 1, 'One', null, null::timestamptz), ('ethereum', 'here', 2, null, 'image', null),
       ('ethereum', 'here', 3, null, null, $2), ('ethereum', 'here', 4, null, null, $3), ('ethereum', 'there', 5, 'Other', 'o', $2),
       ('ethereum', 'there', 1, 'Other', 'o', $2), ('base-wallet', 'here', 5, 'Twin', 't', $2), ('base-wallet', 'here', 1, 'Twin', 't', $2),
       ('ethereum', 'there', 8, 'Eight', null, null)) as asset (network, address, token, name, image, asked)`,
    [NOW, day(14), day(12)],
  )
})

const wallet = { address: 'me', networkIds: ['ethereum', 'base-wallet', 'solana'] }

test('held collections are those of the wallet without spam, with the last floor, the most valuable first', async () => {
  const rows = await readHeldCollections(reader.db, wallet)
  const shown = rows.map((row) => [
    `${row.networkId} ${row.address}`,
    row.blockchain,
    row.name,
    row.tokens,
    Number(row.copies),
    row.floorUsd === null ? null : Number(row.floorUsd),
    row.totalFloorUsd === null ? null : Number(row.totalFloorUsd),
    row.pricedAt,
  ])
  expect(shown).toEqual([
    ['ethereum there', 'ethereum', 'NFT there on ethereum', 1, 3, 1_000, 3_000, day(6)],
    ['ethereum here', 'ethereum', 'NFT here on ethereum', 1, 1, 2_000, 2_000, day(8)],
    ['base-wallet here', 'base', 'NFT here on base-wallet', 1, 1, 70, 70, day(9)],
    ['ethereum plain', 'ethereum', 'symbol of plain', 1, 1, null, null, null],
    ['solana sent', 'solana', 'NFT sent on solana', 1, 1, null, null, day(9)],
  ])
})

test('held tokens are those of the given collections, each with its own description and last sale', async () => {
  const held = async (...collections: { networkId: string; address: string }[]) =>
    (await readHeldTokens(reader.db, { ...wallet, collections })).map((row) => [
      `${row.networkId} ${row.address} ${row.tokenId}`,
      Number(row.copies),
      row.name,
      row.lastSaleUsd === null ? null : Number(row.lastSaleUsd),
    ])
  expect(await held(here, there)).toEqual([
    ['ethereum here 1', 1, 'One', 20],
    ['ethereum there 7', 3, null, null],
  ])
  expect(await held(twin)).toEqual([['base-wallet here 9', 1, null, null]])
  expect(await held({ networkId: 'solana', address: 'sent' })).toEqual([['solana sent 5', 1, null, null]])
})

test('tokens to describe are moved ones of known collections that no source has described, or not for a week', async () => {
  const found = async (networkIds: string[], limit = 9) =>
    (await undescribedTokens(db, { networkIds, at: NOW, limit })).map(
      (one) => `${one.networkId} ${one.address} ${one.tokenId} ${one.standard}`,
    )
  const own = [
    'ethereum here 4 erc721',
    'ethereum here 5 erc721',
    'ethereum off 1 erc721',
    'ethereum there 7 erc1155',
  ]
  expect(await found(['ethereum'])).toEqual(own)
  expect(await found(['ethereum'], 2)).toEqual(own.slice(0, 2))
  expect(await found(['base-wallet'])).toEqual(['base-wallet here 9 erc721'])
})

test('contracts whose NFTs moved become collections, and known ones count as moved', async () => {
  expect(await storeMovedContracts(db, { fetchedAt: NOW })).toBe(6)
  const rows = await run(
    `select network_id || ' ' || address as key, standard, moved from nft_collections order by address, network_id desc`,
  )
  const moved = (key: string, standard = 'erc721') => ({ key, standard, moved: true })
  expect(rows).toEqual([
    moved('ethereum bad'),
    moved('ethereum here'),
    moved('base-wallet here'),
    moved('ethereum off'),
    moved('ethereum plain'),
    { key: 'solana sent', standard: null, moved: false },
    { key: 'ethereum still', standard: null, moved: false },
    moved('ethereum there', 'erc1155'),
  ])
  expect(await run(`select name, coin_id from nft_collections where address = 'plain'`)).toEqual([
    { name: 'symbol of plain', coin_id: 'ethereum' },
  ])
  expect(await storeMovedContracts(db, { fetchedAt: NOW })).toBe(0)
})

test('coins are found by contracts of one blockchain, of which one is the wrapped native coin', async () => {
  const [{ own, other }] = (await run<{ own: string; other: string }>(
    `select (select wrapped_address from networks where id = 'base-wallet') as own,
       (select wrapped_address from networks where id = 'ethereum') as other`,
  )) as [{ own: string; other: string }]
  const addresses = ['0xa', own, other, 'none']
  expect(await coinsOfContracts(db, { blockchain: 'base', addresses })).toEqual(
    new Map([
      ['0xa', 'gold'],
      [own, 'ethereum'],
    ]),
  )
  expect(await coinsOfContracts(db, { blockchain: 'base', addresses: ['none'] })).toEqual(new Map())
  expect(await quotesOf(db, ['gold', 'none'])).toEqual(new Map([['gold', '10']]))
})

const changed = async (work: () => Promise<unknown>) => {
  const key = `network_id || ' ' || address`
  const rows = await changedRows(
    database,
    { nft_collections: key, nft_gecko_records: `'record ' || ${key}` },
    work,
  )
  return [...new Set(rows)].sort()
}

test('a description changes one collection, and has the coins of its currencies on its network', async () => {
  const record = {
    name: 'Described',
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
    currencies: [
      { networkId: 'ethereum', address: '0xa', symbol: 'A' },
      { networkId: 'ethereum', address: ZERO, symbol: 'ETH' },
      { networkId: 'ethereum', address: 'none', symbol: 'NONE' },
      { networkId: 'base-wallet', address: '0xb', symbol: 'B' },
    ],
  }
  const describe = (currencies: typeof record.currencies | null) =>
    changed(() =>
      describeCollection(db, {
        ...here,
        slug: null,
        standard: null,
        source: 'test',
        fetchedAt: NOW,
        record: { ...record, currencies },
      }),
    )
  const currencies = async () =>
    (
      await run(`select currencies from nft_collections where network_id = 'ethereum' and address = 'here'`)
    )[0]
  expect(await describe(record.currencies)).toEqual(['ethereum here'])
  expect(await currencies()).toEqual({ currencies: { A: 'silver', ETH: 'ethereum' } })
  await describe(null)
  expect(await currencies()).toEqual({ currencies: { A: 'silver', ETH: 'ethereum' } })
  await describe([])
  expect(await currencies()).toEqual({ currencies: {} })
})

test('a record is in the coin that its source means, and one in an unknown coin is not stored', async () => {
  await run(
    `insert into coin_mappings (source, upstream_id, coin_id)
     values ('coingecko', 'au', 'gold'), ('other', 'au', 'silver'), ('coingecko', 'ag', 'silver')`,
  )
  const row: NftGeckoRecord = {
    network_id: here.networkId,
    address: here.address,
    gecko_id: 'changed',
    rank: null,
    floor_price: null,
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
  const store = async (nativeCoin: string, more: Partial<NftGeckoRecord> = {}) => {
    let coin: string | null = null
    const rows = await changed(async () => {
      coin = await storeGeckoRecord(db, { ...row, ...more, nativeCoin })
    })
    return [coin, rows]
  }
  expect(await store('nothing')).toEqual([null, []])
  expect(await store('au')).toEqual(['gold', ['ethereum here', 'record ethereum here']])
  expect(await store('silver', { gecko_id: 'again' })).toEqual([
    'silver',
    ['ethereum here', 'record ethereum here'],
  ])
})
