import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coldReader } from '../../activities/chain/read-cold.ts'
import { rebuildTransactions } from '../../activities/chain/rebuild.ts'
import { type ColdReader, unknownTransactions } from '../../db/chain/cold-transactions.ts'
import { coinsToPrice } from '../../db/chain/coins-to-price.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { openDb } from '../../db/connect.ts'
import { transact } from '../../db/transact.ts'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { restoreFile } from '../../export/cold/restore-cold.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { runExport } from '../../export/run-export.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { mineTransfers, startChain } from '../chain/two-branches.ts'
import type { Anvil } from '../setup/anvil.ts'
import { testDatabase } from '../setup/database.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { askCatalog } from './compare-examples.ts'
import { TRANSACTIONS } from './cold-stocks.ts'

// Wallets whose transactions have moved into files of the exports. Its chain began 40 days ago.

const networkId = 'ethereum'
const address = '0x00000000000000000000000000000000000000f1'
/** Receives from the wallet. */
const other = '0x00000000000000000000000000000000000000e1'
const { table } = TRANSACTIONS
const open = async () => {
  const database = await testDatabase()
  return {
    ingest: openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' }),
    owner: openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' }),
  }
}
/** The second one moves nothing. */
const [moving, reference] = [await open(), await open()]
const { pool } = moving.ingest
const home = await mkdtemp(join(tmpdir(), 'sluice-cold-'))
const folder = join(home, 'export')
const target = folderTarget(folder)
const readCold = coldReader(target)
const now = () => new Date()
let node: Anvil

async function sync(of: typeof moving, wallet: string): Promise<void> {
  const network = await testNetwork(of.ingest.pool, { networkId, url: node.url })
  await syncDirectly({ pool: of.ingest.pool, network, address: wallet, readCold })
}

/** All that is derived of wallets, by their addresses. */
async function derived(of: typeof moving): Promise<unknown[]> {
  const rows = async (from: string) =>
    (
      await of.owner.pool.query<{ stored: object }>(
        `select address, to_jsonb(own) - '{wallet_id,fetched_at,recorded_at}'::text[] as stored from ${from} as own
         join wallets on wallets.id = wallet_id order by address, (to_jsonb(own) - 'fetched_at')::text`,
      )
    ).rows
  return [...(await rows('wallet_transactions')), ...(await rows('movements')), ...(await rows('balances'))]
}

/** Moves all months that ended before a month from now. */
async function moveAll(): Promise<number> {
  const before = new Date(Date.now() + 31 * 86_400_000)
  let moved = 0
  for (const month of await movableMonths(moving.owner.pool, { table, before }))
    moved += (await moveMonth({ pool: moving.owner.pool, target, table }, month))?.rows ?? 0
  return moved
}

async function restoreAll(): Promise<void> {
  for (const file of await readColdFiles(moving.owner.pool))
    await restoreFile({ pool: moving.owner.pool, target }, file)
}

const left = async () => (await pool.query('select from transactions')).rowCount
const outdate = () =>
  pool.query('update wallet_syncs set format_version = $1, normalised_version = $1', [FORMAT_VERSION - 1])

beforeAll(async () => {
  node = await startChain()
  await mineTransfers(node, { wallet: address, blocks: 12, salt: 1 })
  // Only its fee moves: nothing but its sender finds it.
  await node.call('eth_sendTransaction', { from: address, to: other, value: '0x0', gas: '0x5208' })
  // Below these, no reorg replaces blocks any more.
  await node.call('anvil_mine', '0x100')
  for (const one of [moving, reference]) {
    await activateNetworks(one.owner.db, [networkId])
    await sync(one, address)
  }
})
afterAll(async () => {
  for (const one of [moving, reference]) await Promise.all([one.ingest.close(), one.owner.close()])
  await node.stop()
  await rm(home, { recursive: true, force: true })
})

test('a wallet is derived again from transactions that have moved, to the same rows', async () => {
  const fresh = await derived(moving)
  expect(fresh).toEqual(await derived(reference))
  const toPrice = () => coinsToPrice(pool, { networkId, addresses: [address] })
  const prices = await toPrice()
  const all = await left()
  expect(await moveAll()).toBe(all)
  const senders = await pool.query(
    'select from_address from cold_transactions where from_address is not null',
  )
  expect(senders.rows).toEqual([{ from_address: address }])
  expect(await left()).toBe(0)
  expect(await toPrice()).toEqual(prices)
  await outdate()
  expect(await rebuildTransactions({ pool, now, readCold }, () => {})).toMatchObject({
    wallets: 1,
    failed: [],
  })
  expect(await derived(moving)).toEqual(fresh)
})

test('while the files are read, others may rewind the network', async () => {
  const fresh = await derived(moving)
  await outdate()
  let reads = 0
  const reader: ColdReader = async (parts) => {
    reads++
    await transact(pool, ({ client }) => lockNetwork(client, { networkId, mode: 'rewind' }))
    return await readCold!(parts)
  }
  expect(await rebuildTransactions({ pool, now, readCold: reader }, () => {})).toMatchObject({ failed: [] })
  expect(reads).toBe(1)
  expect(await derived(moving)).toEqual(fresh)
})

test('where the files are away, a derivation says so and changes nothing; the next one finds them', async () => {
  const fresh = await derived(moving)
  await outdate()
  const rebuild = (reader = readCold) => rebuildTransactions({ pool, now, readCold: reader }, () => {})
  await rename(folder, `${folder}.away`)
  const { failed } = await rebuild()
  expect(failed).toMatchObject([{ address, reason: expect.stringContaining('Set EXPORT_TO to where') }])
  expect(await derived(moving)).toEqual(fresh)
  await rename(`${folder}.away`, folder)
  const { failed: unset } = await rebuildTransactions({ pool, now }, () => {})
  expect(unset).toMatchObject([{ reason: expect.stringContaining('set EXPORT_TO') }])
  expect(await rebuild()).toMatchObject({ wallets: 1, failed: [] })
  expect(await derived(moving)).toEqual(fresh)
})

test('a new wallet reads transactions again that have moved: each stays in one place', async () => {
  const { rows } = await reference.owner.pool.query<{ hash: string }>('select hash from transactions')
  const hashes = rows.map(({ hash }) => hash)
  expect(await unknownTransactions(pool, { networkId, hashes: [...hashes, '0xother'] })).toEqual(['0xother'])
  await sync(moving, other)
  await sync(reference, other)
  expect(await derived(moving)).toEqual(await derived(reference))
  expect(await left()).toBe(0)
  await runExport({ pool, target, now })
  const exported = await askCatalog(folder, 'select hash from transactions order by 1')
  expect(exported.map(({ hash }) => hash)).toEqual(hashes.toSorted())
})

test('new blocks stay in the table until they are final, and one range has rows of both', async () => {
  for (const wallet of [address, other]) {
    await mineTransfers(node, { wallet, blocks: 4, salt: 2 })
    for (const one of [moving, reference]) await sync(one, wallet)
  }
  for (const one of [moving, reference]) for (const wallet of [address, other]) await sync(one, wallet)
  expect(await left()).toBeGreaterThan(0)
  expect(await moveAll()).toBe(0)
  await outdate()
  expect(await rebuildTransactions({ pool, now, readCold }, () => {})).toMatchObject({
    wallets: 2,
    failed: [],
  })
  expect(await derived(moving)).toEqual(await derived(reference))
})

test('restored transactions are as those that never moved', async () => {
  await restoreAll()
  const stored = (of: typeof moving) =>
    of.owner.pool
      .query(`select to_jsonb(own) - 'fetched_at' as row from transactions as own order by hash`)
      .then(({ rows }) => rows)
  expect(await stored(moving)).toEqual(await stored(reference))
  expect((await pool.query('select from cold_transactions')).rowCount).toBe(0)
})

test('a move waits for who writes or derives the network', async () => {
  const held = await pool.connect()
  await held.query('begin')
  await lockNetwork(held, { networkId, mode: 'write' })
  const moved = moveAll()
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 60_000 }).toBe(1)
  const before = await left()
  expect(before).toBeGreaterThan(0)
  await held.query('commit')
  held.release()
  expect(await moved).toBeGreaterThan(0)
  expect(await left()).toBe(before! - (await pool.query('select from cold_transactions')).rowCount!)
})
