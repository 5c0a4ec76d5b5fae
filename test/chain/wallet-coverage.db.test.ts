import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getWalletStatus } from '../../api/chain/get-status.ts'
import { getTransactions } from '../../api/chain/get-transactions.ts'
import { routes } from '../../api/routes.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { completeSync, dueSyncs } from '../../db/chain/syncs.ts'
import { openDb } from '../../db/connect.ts'
import { holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { coverWallet, insertFollow, touchWallet } from '../setup/follow-factories.ts'
import { query } from '../setup/query.ts'
import {
  activateNetworks,
  address,
  hash,
  insertTransactions,
  insertWallet,
} from '../setup/wallet-factories.ts'

/** A followed wallet is as current as its follower, and a polled one as its last sync. */

const database = await testDatabase()
const api = await startApi({ database, routes })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => ingest.close())
const { key } = await api.newAccount()
const status = endpoint(api, { route: getWalletStatus, key })
const transactions = endpoint(api, { route: getTransactions, key })
const wallet = address(1)
const ETHEREUM = { networkId: 'ethereum' }

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const DAY = 86_400
const HISTORY = 'The history on ethereum is being read.'
const BLOCKS = 'The newest blocks on ethereum are being read.'
const ADDED = 'New transactions on ethereum are being added.'

beforeEach(async () => {
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  await sql`truncate outbox, first_syncs, network_follows, touched_wallets, wallet_syncs, wallets cascade`.execute(
    api.owner,
  )
})

interface Situation {
  /** Seconds since the last sync of the wallet; null: none is complete. */
  synced?: number | null
  /** Absent: no follower. */
  follow?: Partial<Parameters<typeof insertFollow>[1]>
  /** Absent: the follower does not cover the wallet. */
  cover?: Partial<Parameters<typeof coverWallet>[1]>
  /** Seconds since a block touched the wallet. */
  touched?: number
}

async function make({ synced = DAY, follow, cover, touched }: Situation): Promise<string> {
  const syncs = { ethereum: synced === null ? null : ago(synced) }
  const walletId = await insertWallet(api.owner, { address: wallet, syncs })
  if (follow) await insertFollow(api.owner, { ...ETHEREUM, ...follow })
  if (cover) await coverWallet(api.owner, { walletId, ...ETHEREUM, ...cover })
  if (touched !== undefined) await touchWallet(api.owner, { walletId, ...ETHEREUM, age: touched })
  return walletId
}

/** Seconds since an instant of an answer, to the next ten. */
const ageOf = (instant: string | null) =>
  instant === null ? null : Math.round((Date.now() - Date.parse(instant)) / 10_000) * 10

/** The state of a wallet, its message, the age of its data, and whether it waits for no sync. */
type Expected = [state: string, message: string | undefined, age: number | null, followed: boolean]

describe('a wallet on one network', () => {
  test.each<[string, Situation, Expected]>([
    ['that is polled is as old as its last sync', {}, ['synced', undefined, DAY, false]],
    ['that was never synced', { synced: null }, ['syncing', undefined, null, false]],
    [
      'that is covered and quiet is as old as its follower',
      { follow: { age: 10 }, cover: {} },
      ['synced', undefined, 10, true],
    ],
    ['that the follower has still to take up is polled', { follow: {} }, ['synced', undefined, DAY, false]],
    [
      'that is covered before its history is read',
      { synced: null, follow: {}, cover: { cursor: -1 } },
      ['syncing', HISTORY, null, false],
    ],
    [
      'whose history ends right below the first covered block',
      { follow: {}, cover: { coveredFrom: 90, cursor: 89 } },
      ['synced', undefined, 0, true],
    ],
    [
      'whose history ends a block earlier',
      { follow: {}, cover: { coveredFrom: 90, cursor: 88 } },
      ['syncing', HISTORY, DAY, false],
    ],
    [
      'whose history is stored and not derived',
      { follow: {}, cover: { cursor: 95, normalised: 80 } },
      ['syncing', HISTORY, DAY, false],
    ],
    [
      'in a block of now is as current as its follower',
      { follow: {}, cover: {}, touched: 0 },
      ['synced', undefined, 0, true],
    ],
    [
      'that waits to be derived is as old as its mark',
      { follow: {}, cover: {}, touched: 20 },
      ['synced', undefined, 20, true],
    ],
    [
      'that waits for more than 30 seconds',
      { follow: {}, cover: {}, touched: 60 },
      ['syncing', ADDED, 60, true],
    ],
    [
      'that waits for so long that it is polled',
      { follow: {}, cover: {}, touched: 400 },
      ['syncing', ADDED, 400, false],
    ],
    [
      'that waits, but was synced since',
      { synced: 10, follow: {}, cover: {}, touched: 60 },
      ['synced', undefined, 10, true],
    ],
    [
      'whose follower stands still for three blocks',
      { follow: { age: 34 }, cover: {} },
      ['synced', undefined, 30, true],
    ],
    [
      'whose follower stands still for longer',
      { follow: { age: 60 }, cover: {} },
      ['syncing', BLOCKS, 60, true],
    ],
    [
      'whose follower reads a range every two minutes, within three of them',
      { follow: { age: 350, tickSeconds: 120 }, cover: {} },
      ['synced', undefined, 350, true],
    ],
    [
      'whose follower reads a range every two minutes, and has not for longer',
      { follow: { age: 370, tickSeconds: 120 }, cover: {} },
      ['syncing', BLOCKS, 370, false],
    ],
    [
      'whose follower stands still for so long that it is polled',
      { follow: { age: 400 }, cover: {} },
      ['syncing', BLOCKS, 400, false],
    ],
    [
      'that was polled since its follower stands still',
      { synced: 100, follow: { age: 400 }, cover: {} },
      ['synced', undefined, 100, false],
    ],
    [
      'whose follower catches up is as old as the last block',
      { follow: { cursor: 100, head: 900, age: 0, cursorAge: 120 }, cover: {} },
      ['syncing', BLOCKS, 120, true],
    ],
    [
      'whose follower was switched off was current until then',
      { follow: { mode: 'off', age: 400 }, cover: {} },
      ['synced', undefined, 400, false],
    ],
    [
      'that a follower covered anew after a gap',
      { follow: {}, cover: { coveredFrom: 900, cursor: 100 } },
      ['syncing', HISTORY, DAY, false],
    ],
  ])('%s', async (_name, situation, [state, message, age, followed]) => {
    await make(situation)
    const [row] = await query<{ followed: boolean; synced_at: Date | null }>(
      database.ownerUrl,
      'select followed, synced_at from wallet_coverage',
    )
    const answer = await status(`/wallet/status?address=${wallet}&connectionId=ethereum`)
    const asOf = answer.headers.get('x-data-as-of')
    expect(answer.body).toEqual({
      status: state,
      lastSyncedAt: asOf,
      ...(message !== undefined && { message }),
    })
    expect([ageOf(asOf), ageOf(row!.synced_at?.toISOString() ?? null), row!.followed]).toEqual([
      age,
      age,
      followed,
    ])
  })
})

test('on several networks the oldest one counts, followed or polled', async () => {
  const walletId = await insertWallet(api.owner, {
    address: wallet,
    syncs: { ethereum: ago(DAY), 'base-wallet': ago(200) },
  })
  await insertFollow(api.owner, { ...ETHEREUM, age: 10 })
  await coverWallet(api.owner, { walletId, ...ETHEREUM })
  const asOf = async (networks: string) => {
    const path = `/wallet/transactions?address=${wallet}&connectionId=${networks}`
    const { headers } = await transactions(path)
    expect(headers.get('x-sync-status')).toBeNull()
    return ageOf(headers.get('x-data-as-of'))
  }
  expect([await asOf('ethereum'), await asOf('base-wallet'), await asOf('all')]).toEqual([10, 200, 200])
  const both = await status(`/wallet/status?address=${wallet}&connectionId=all`)
  expect(both.body).toEqual({ status: 'synced', lastSyncedAt: both.headers.get('x-data-as-of') })
  await insertFollow(api.owner, { ...ETHEREUM, age: 250 })
  expect([await asOf('all'), await asOf('ethereum,base-wallet')]).toEqual([250, 250])
})

test('transactions are refused until the history of a covered wallet is complete', async () => {
  await make({ synced: null, follow: {}, cover: { cursor: -1 } })
  expect(
    await refusal(await api.get(`/wallet/transactions?address=${wallet}&connectionId=ethereum`, key)),
  ).toEqual([409, 'Transactions not synced'])
})

describe('polling', () => {
  const due = async (gapNetworks = ['ethereum']) => {
    const asked = { olderThanSeconds: 300, limit: 10, formatVersion: FORMAT_VERSION, gapNetworks }
    return (await dueSyncs(ingest.pool, asked)).length === 1
  }

  test.each<[string, Situation, boolean]>([
    ['reads a wallet whose last sync is old', {}, true],
    ['waits after a sync', { synced: 100 }, false],
    ['leaves out a followed wallet, however old its sync is', { follow: {}, cover: {} }, false],
    ['leaves out a touched wallet, which is derived', { follow: {}, cover: {}, touched: 60 }, false],
    ['reads a touched wallet that nobody derives', { follow: {}, cover: {}, touched: 400 }, true],
    ['reads a wallet that the follower has still to take up', { follow: {} }, true],
    ['reads the history below the covered blocks', { follow: {}, cover: { cursor: 88 } }, true],
    ['leaves out wallets while their follower stands still', { follow: { age: 200 }, cover: {} }, false],
    ['comes back when a follower stands still for long', { follow: { age: 400 }, cover: {} }, true],
    ['comes back when a follower is switched off', { follow: { mode: 'off', age: 400 }, cover: {} }, true],
    [
      'comes back while a follower catches up',
      { follow: { head: 900, cursorAge: 400, age: 0 }, cover: {} },
      true,
    ],
    ['derives again what was derived wrongly', { follow: {}, cover: { cursor: 99, normalised: 95 } }, true],
  ])('%s', async (_name, situation, expected) => {
    const walletId = await make(situation)
    await query(database.ownerUrl, 'update wallet_syncs set format_version = $1', [FORMAT_VERSION])
    expect(await due()).toBe(expected)
    if (expected) return
    await query(database.ownerUrl, 'update wallet_syncs set format_version = $1 where wallet_id = $2', [
      FORMAT_VERSION - 1,
      walletId,
    ])
    expect(await due()).toBe(situation.synced !== 100)
  })

  test('reads a followed wallet whose history has a gap that somebody can fill', async () => {
    await make({ follow: {}, cover: {} })
    await query(database.ownerUrl, 'update wallet_syncs set format_version = $1, gap_from = 1, gap_to = 2', [
      FORMAT_VERSION,
    ])
    expect([await due(), await due([])]).toEqual([true, false])
  })

  test('a sync wakes the mark that waits for the history, and no mark that waits for another try', async () => {
    const walletId = await make({ follow: {}, cover: { cursor: 100 }, touched: 400 })
    const wokenFrom = async (nextAt: string) => {
      await query(database.ownerUrl, `update touched_wallets set next_at = ${nextAt}`)
      await completeSync(ingest.pool, { walletId, ...ETHEREUM })
      return await query(database.ownerUrl, 'select next_at is null as woken from touched_wallets')
    }
    expect(await wokenFrom(`'infinity'`)).toEqual([{ woken: true }])
    expect(await wokenFrom(`now() + interval '1 hour'`)).toEqual([{ woken: false }])
  })
})

describe('DeFi positions', () => {
  /** Stores a read as if it had been made then. */
  async function read(walletId: string, age: number): Promise<void> {
    await query(
      database.ownerUrl,
      `insert into defi_reads (wallet_id, network_id, source, fetched_at, complete_at)
       select $1, 'ethereum', 'test', at, at from (select now() - $2 * interval '1 second' as at) as past
       on conflict (wallet_id, network_id) do update set fetched_at = excluded.fetched_at`,
      [walletId, age],
    )
    await query(database.ownerUrl, 'delete from defi_marks where wallet_id = $1', [walletId])
  }
  const due = async () => [
    (await markedWallets(ingest.pool, { limit: 10 })).length,
    (await holdersToSweep(ingest.pool, { before: ago(300), limit: 10 })).length,
  ]

  test('of a wallet without any are read once, and then after each transaction that comes or goes', async () => {
    const walletId = await make({ follow: {}, cover: {} })
    expect(await due()).toEqual([1, 0])
    await read(walletId, 3_600)
    expect(await due()).toEqual([0, 0])
    await query(database.ownerUrl, 'update wallet_syncs set synced_at = now() where wallet_id = $1', [
      walletId,
    ])
    expect(await due()).toEqual([0, 0])
    await insertTransactions(api.owner, {
      walletId,
      transactions: [{ ...ETHEREUM, at: ago(60), hash: hash(1) }],
    })
    expect(await due()).toEqual([1, 0])
    await read(walletId, 60)
    await query(database.ownerUrl, 'delete from wallet_transactions')
    expect(await due()).toEqual([1, 0])
  })

  test('of a wallet that has some are read every five minutes, followed or not', async () => {
    const walletId = await make({ follow: {}, cover: {} })
    await read(walletId, 3_600)
    await query(
      database.ownerUrl,
      `insert into defi_positions
         (wallet_id, network_id, protocol_id, id, name, pool_address, block_number, block_hash, source, fetched_at)
       select $1, network_id, protocol_id, 'one', 'One', '0x1', 1, '0x1', 'test', now() from defi_deployments
       where network_id = 'ethereum' limit 1`,
      [walletId],
    )
    expect(await due()).toEqual([0, 1])
    await query(database.ownerUrl, 'delete from network_follows')
    expect(await due()).toEqual([0, 1])
    await read(walletId, 60)
    expect(await due()).toEqual([0, 0])
    await query(database.ownerUrl, 'delete from defi_positions')
    await read(walletId, 3_600)
    expect(await due()).toEqual([0, 0])
  })
})
