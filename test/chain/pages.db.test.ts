import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { CurrentPrices } from '../../api/chain/current-prices.ts'
import { hotList, hotRows } from '../../api/chain/hot-pages.ts'
import { readTransactions, readWalletPages } from '../../db/chain/read-transactions.ts'
import { rowsOf, transactionJson } from '../../db/chain/served-transaction.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { address, hash, insertTransactions, insertWallet } from '../setup/wallet-factories.ts'

/**
 * Pages that start at an anchor and cached pages equal the pages by offset after any change of the rows.
 */

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
const reads = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), ingest.close(), reads.close()]))

const SYNCED = new Date('2026-03-01T00:00:00Z')
const NETWORKS = ['ethereum', 'base-wallet', 'polygon-wallet']
let walletId = ''
let wallet = ''
let wallets = 0
let hashes = 0

beforeEach(async () => {
  wallet = address(++wallets)
  walletId = await insertWallet(ingest.db, {
    address: wallet,
    syncs: { ethereum: SYNCED, 'base-wallet': null, 'polygon-wallet': SYNCED },
  })
})

const insert = (networkId: string, minutes: readonly number[]) =>
  minutes.length === 0
    ? Promise.resolve()
    : insertTransactions(ingest.db, {
        walletId,
        transactions: minutes.map((minute) => ({
          networkId,
          at: new Date(Date.UTC(2026, 0, 1) + minute * 60_000),
          txIndex: minute % 3,
          hash: hash(++hashes),
          main: { coinId: 'ethereum', symbol: 'ETH', count: '1.5', valueUsd: minute % 2 ? null : '10' },
        })),
      })

const remove = (networkId: string, fromMinute: number, toMinute: number) =>
  ingest.db
    .deleteFrom('wallet_transactions')
    .where('wallet_id', '=', walletId)
    .where('network_id', '=', networkId)
    .where('at', '>=', new Date(Date.UTC(2026, 0, 1) + fromMinute * 60_000))
    .where('at', '<', new Date(Date.UTC(2026, 0, 1) + toMinute * 60_000))
    .execute()

/** An update by hand; the product never updates these rows. */
const edit = (networkId: string, fromMinute: number) =>
  owner.db
    .updateTable('wallet_transactions')
    .set({ main_symbol: `S${++hashes}` })
    .where('wallet_id', '=', walletId)
    .where('network_id', '=', networkId)
    .where('at', '>=', new Date(Date.UTC(2026, 0, 1) + fromMinute * 60_000))
    .execute()

const sync = (networkId: string, syncedAt: Date | null) =>
  ingest.db
    .updateTable('wallet_syncs')
    .set({ synced_at: syncedAt })
    .where('wallet_id', '=', walletId)
    .where('network_id', '=', networkId)
    .execute()

const pricesOf = (usd: number): CurrentPrices => ({
  usd: new Map([['ethereum', usd]]),
  at: new Map([['ethereum', new Date(usd)]]),
  revision: String(usd),
})

async function expectSamePages(synced: readonly string[], limit: number): Promise<void> {
  for (const network of ['', ...synced]) {
    const networks = network === '' ? synced : [network]
    const listed = await readTransactions(reads.db, {
      wallets: networks.map((networkId) => ({ walletId, networkId })),
      filter: { hideUnidentifiedCoins: false },
      offset: 0,
      limit: 10_000,
    })
    const offsets = [0, 1, 49, 50, 51, limit, 7 * limit, listed.length - 1, listed.length, listed.length + 60]
    // Each list is asked for twice at one price and once at another, so some are kept and some are not.
    for (const prices of [pricesOf(1_000), pricesOf(1_000), pricesOf(2_000)])
      await Promise.all(
        offsets.map(async (from) => {
          const offset = Math.max(0, from)
          const page = { address: wallet, network, offset, limit }
          const rows = listed.slice(offset, offset + limit)
          expect(await hotRows(reads.db, page)).toMatchObject({ rows, asOf: SYNCED })
          const { list, asOf, priceAsOf } = await hotList(reads.db, page, prices)
          expect(list.toString()).toBe(`[${rows.map((row) => transactionJson(row, prices.usd)).join(',')}]`)
          expect([asOf, priceAsOf]).toEqual([SYNCED, rows.length > 0 ? prices.at.get('ethereum') : null])
        }),
      )
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

test('pages stay right after appended rows, late rows, a rewind and a newly synced network', async () => {
  for (let step = 0; step < 4; step++) await insert('ethereum', range(step * 83, step * 83 + 83))
  await insert('base-wallet', range(0, 120))
  await insert('polygon-wallet', range(100, 260))
  await expectSamePages(['ethereum', 'polygon-wallet'], 20)
  await insert('ethereum', [3, 3, 3, 155])
  await expectSamePages(['ethereum', 'polygon-wallet'], 20)
  await remove('ethereum', 120, 400)
  await insert('ethereum', range(130, 300))
  await expectSamePages(['ethereum', 'polygon-wallet'], 7)
  await sync('base-wallet', SYNCED)
  await expectSamePages(NETWORKS, 100)
  await sync('polygon-wallet', null)
  await expectSamePages(['ethereum', 'base-wallet'], 20)
  await remove('ethereum', 0, 1_000)
  await expectSamePages(['ethereum', 'base-wallet'], 20)
})

test('one statement ranks the transactions of many wallets on several networks', async () => {
  const other = await insertWallet(ingest.db, {
    address: address(++wallets),
    syncs: { ethereum: SYNCED, 'base-wallet': SYNCED, 'polygon-wallet': null },
  })
  await insert('ethereum', range(0, 70))
  await owner.pool.query(
    `insert into wallet_transactions (wallet_id, network_id, at, block_number, block_hash, tx_index, hash, type, coin_ids,
       identified, fragment, source, fetched_at)
     select wallet_id, network_id, '2026-01-01T00:30:00Z'::timestamptz + n * interval '1 second', n, 'b', 1,
       'h' || n || network_id, 'deposit', '{}', true, '{}', 'test', now()
     from unnest($1::bigint[]) as wallet_id, unnest($2::text[]) as network_id, generate_series(1, 60) as n`,
    [[walletId, other], NETWORKS],
  )
  const { rows: ranked } = await owner.pool.query(
    `select c.wallet_id, c.series, c.rows::integer, array_agg(a.rank || ' ' || a.hash order by a.rank) as anchors
     from wallet_transaction_counts c left join wallet_transaction_anchors a using (wallet_id, series)
     where c.wallet_id = any($1) group by c.wallet_id, c.series order by 1, 2`,
    [[walletId, other]],
  )
  const { rows: counted } = await owner.pool.query(
    `with series as (
       select wallet_id, network_id, network_id as series from wallet_syncs
       union all select wallet_id, network_id, '' from wallet_syncs where synced_at is not null
     ), numbered as (
       select wallet_id, series, hash, row_number() over (partition by wallet_id, series order by at, network_id, tx_index, hash) as rank
       from wallet_transactions join series using (wallet_id, network_id) where wallet_id = any($1)
     )
     select wallet_id, series, count(*)::integer as rows,
       array_agg(rank || ' ' || hash order by rank) filter (where rank % 50 = 0) as anchors
     from numbered group by 1, 2 order by 1, 2`,
    [[walletId, other]],
  )
  expect(counted.map(({ rows }) => rows)).toEqual([190, 60, 130, 60, 120, 60, 60, 60])
  expect(ranked).toEqual(counted)
})

test('pages stay right after any sequence of changes', async () => {
  const minute = fc.integer({ min: 0, max: 400 })
  const network = fc.constantFrom(...NETWORKS)
  const change = fc.oneof(
    fc.record({
      kind: fc.constant('insert' as const),
      network,
      minutes: fc.array(minute, { maxLength: 120 }),
    }),
    fc.record({ kind: fc.constant('remove' as const), network, from: minute, length: minute }),
    fc.record({ kind: fc.constant('edit' as const), network, from: minute }),
    fc.record({ kind: fc.constant('sync' as const), network, synced: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      wallet = address(++wallets)
      walletId = await insertWallet(ingest.db, {
        address: wallet,
        syncs: { ethereum: SYNCED, 'base-wallet': null, 'polygon-wallet': SYNCED },
      })
      const synced = new Set(['ethereum', 'polygon-wallet'])
      for (const one of changes) {
        if (one.kind === 'insert') await insert(one.network, one.minutes)
        if (one.kind === 'remove') await remove(one.network, one.from, one.from + one.length)
        if (one.kind === 'edit') await edit(one.network, one.from)
        if (one.kind === 'sync') {
          await sync(one.network, one.synced ? SYNCED : null)
          if (one.synced) synced.add(one.network)
          else synced.delete(one.network)
        }
        if (synced.size > 0) await expectSamePages([...synced], 20)
      }
    }),
    { numRuns: 30, seed: 20_261_121 },
  )
})

test('pages stay right when the counts are missing', async () => {
  await insert('ethereum', range(0, 120))
  await owner.db.deleteFrom('wallet_transaction_counts').where('wallet_id', '=', walletId).execute()
  await expectSamePages(['ethereum', 'polygon-wallet'], 20)
})

test('a cached page is not read again until its rows may have changed', async () => {
  await insert('ethereum', range(0, 60))
  const request = { address: wallet, network: 'ethereum', offset: 0, limit: 20 }
  const read = async (known: string | null) =>
    (await readWalletPages(reads.db, { allNetworks: false, requests: [{ ...request, known }] }))[0]!
  const first = await read(null)
  expect(rowsOf(first.text!)).toHaveLength(20)
  expect(await read(first.revision)).toEqual({ ...first, text: null })
  await insert('base-wallet', [1])
  expect(await read(first.revision)).toMatchObject({ text: null })
  await insert('ethereum', [100])
  const second = await read(first.revision)
  expect(second.text).not.toBeNull()
  expect(second.revision).not.toBe(first.revision)
  await edit('ethereum', 100)
  expect((await read(second.revision)).text).not.toBeNull()
})

test('an unknown wallet has no page', async () => {
  const request = { address: address(0xffff), network: '', offset: 0, limit: 20 }
  const state = { asOf: null, isPartial: false }
  expect(await hotRows(reads.db, request)).toEqual({ ...state, rows: [] })
  const list = Buffer.from('[]')
  expect(await hotList(reads.db, request, pricesOf(1))).toEqual({ ...state, list, priceAsOf: null })
})
