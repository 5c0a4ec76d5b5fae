import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ReorgTooDeep, undoReorg } from '../../activities/chain/reorg.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import type { Anvil } from '../setup/anvil.ts'
import { failingPool, Killed } from './failing-pool.ts'
import { chainTransfers } from './independent-transfers.ts'
import { storedTransfers, sumText } from './stored-transfers.ts'
import { syncDirectly, testNetwork } from './sync-directly.ts'
import { branchOff, headOf, mineTransfers, startChain, switchedNode } from './two-branches.ts'

const WALLET = '0x00000000000000000000000000000000000000f1'
const REORG_DEPTH = 20

const database = await testDatabase()
const other = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const reference = openDb({ url: other.ingestUrl, maxConnections: 4, applicationName: 'test' })
const nodes: Anvil[] = []
let first: Anvil
let node: Awaited<ReturnType<typeof switchedNode>>

beforeAll(async () => {
  first = await startChain()
  nodes.push(first)
  await mineTransfers(first, { wallet: WALLET, blocks: 40, salt: 1 })
  node = await switchedNode(first)
})
afterAll(async () => {
  await Promise.all([close(), reference.close(), node.stop(), ...nodes.map((one) => one.stop())])
})

async function sync(through: pg.Pool = pool) {
  const network = await testNetwork(pool, { networkId: 'ethereum', url: node.url, reorgDepth: REORG_DEPTH })
  return await syncDirectly({ pool: through, network, address: WALLET })
}

/** Expects the stored rows to be exactly those of the node's chain. */
async function expectBranch(of: Anvil) {
  const stored = await storedTransfers(pool, 'ethereum')
  expect(stored.map(sumText).sort()).toEqual((await chainTransfers(of.url, [WALLET])).map(sumText).sort())
  const { rows: blocks } = await pool.query<{ number: string; hash: string }>(
    'select number, hash from blocks',
  )
  for (const { number, hash } of blocks)
    expect((await of.call('eth_getBlockByNumber', `0x${Number(number).toString(16)}`, false)).hash).toBe(hash)
  const hashes = new Set(blocks.map(({ hash }) => hash))
  for (const table of ['transactions', 'transfers', 'wallet_transactions', 'movements']) {
    const { rows } = await pool.query<{ block_hash: string }>(`select distinct block_hash from ${table}`)
    expect(rows.every(({ block_hash }) => hashes.has(block_hash))).toBe(true)
  }
  const { rows } = await pool.query(
    `select (select raw from balances) = (select sum(raw) from movements) as equal, (select raw from balances) as raw`,
  )
  expect(rows).toEqual([
    { equal: true, raw: BigInt(await of.call('eth_getBalance', WALLET, 'latest')).toString() },
  ])
}

describe('reorgs on real nodes', () => {
  test.each([1, 2, 3, 7, 11])(
    'Y5, Y6 a reorg of depth %i replaces the orphaned rows, and so does the reorg back',
    async (depth) => {
      node.switchTo(first)
      await sync()
      await expectBranch(first)
      const second = await branchOff(first, (await headOf(first)) - depth)
      nodes.push(second)
      await mineTransfers(second, { wallet: WALLET, blocks: depth + 1, salt: 100 + depth })
      node.switchTo(second)
      await sync()
      await expectBranch(second)
      await mineTransfers(first, { wallet: WALLET, blocks: 4, salt: 200 + depth })
      node.switchTo(first)
      await sync()
      await expectBranch(first)
    },
  )

  test('follows a reorg to a shorter chain', async () => {
    node.switchTo(first)
    await sync()
    const shorter = await branchOff(first, (await headOf(first)) - 6)
    nodes.push(shorter)
    await mineTransfers(shorter, { wallet: WALLET, blocks: 1, salt: 300 })
    node.switchTo(shorter)
    await sync()
    await expectBranch(shorter)
    node.switchTo(first)
    await sync()
    await expectBranch(first)
  })

  test('marks P&L dirty from the first instant that changes', async () => {
    await sync()
    await pool.query('update pl_states set dirty_from = null')
    const depth = 5
    const fork = (await headOf(first)) - depth
    const { rows } = await pool.query('select min(at) as at from movements where block_number > $1', [fork])
    const second = await branchOff(first, fork)
    nodes.push(second)
    await mineTransfers(second, { wallet: WALLET, blocks: depth, salt: 400 })
    node.switchTo(second)
    await sync()
    const state = await pool.query('select dirty_from from pl_states')
    expect(state.rows[0].dirty_from.getTime()).toBeLessThanOrEqual(rows[0].at.getTime())
    node.switchTo(first)
    await sync()
  })

  test('Y5 a reorg that is too deep stops the sync and deletes nothing', async () => {
    const before = await contents(pool)
    const second = await branchOff(first, (await headOf(first)) - REORG_DEPTH - 8)
    nodes.push(second)
    await mineTransfers(second, { wallet: WALLET, blocks: REORG_DEPTH + 9, salt: 500 })
    node.switchTo(second)
    await expect(sync()).rejects.toThrow(ReorgTooDeep)
    expect(await contents(pool)).toEqual(before)
    node.switchTo(first)
  })

  test('while a node is asked about a reorg, others write', async () => {
    node.switchTo(first)
    await sync()
    const second = await branchOff(first, (await headOf(first)) - 3)
    nodes.push(second)
    await mineTransfers(second, { wallet: WALLET, blocks: 4, salt: 550 })
    node.switchTo(second)
    const { source } = await testNetwork(pool, {
      networkId: 'ethereum',
      url: node.url,
      reorgDepth: REORG_DEPTH,
    })
    const free: boolean[] = []
    const asking = {
      name: source.name,
      async headers(numbers: readonly number[]) {
        const { rows } = await pool.query<{ free: boolean }>(
          `select pg_try_advisory_xact_lock_shared(hashtext('chain ethereum')) as free`,
        )
        free.push(rows[0]!.free)
        return await source.headers!(numbers)
      },
    }
    const undone = await undoReorg({ pool, source: asking, networkId: 'ethereum', reorgDepth: REORG_DEPTH })
    expect(undone).toBe((await headOf(first)) - 3)
    expect(free.length).toBeGreaterThan(1)
    expect(free).not.toContain(false)
    await sync()
    await expectBranch(second)
    node.switchTo(first)
    await sync()
  })

  test('blocks that somebody stores while a node is asked are compared too', async () => {
    await sync()
    const fork = (await headOf(first)) - 3
    const second = await branchOff(first, fork)
    nodes.push(second)
    await mineTransfers(second, { wallet: WALLET, blocks: 4, salt: 560 })
    node.switchTo(second)
    const { source } = await testNetwork(pool, {
      networkId: 'ethereum',
      url: node.url,
      reorgDepth: REORG_DEPTH,
    })
    const late = await headOf(first)
    let asked = 0
    const asking = {
      name: source.name,
      async headers(numbers: readonly number[]) {
        asked++
        // A block of the old branch that another sync stores now.
        if (asked === 1)
          await pool.query(
            `insert into blocks select (jsonb_populate_record(block, jsonb_build_object('number', $1::bigint, 'hash', 'late'))).*
             from blocks as block order by number desc limit 1`,
            [late + 1],
          )
        return await source.headers!(numbers)
      },
    }
    const undone = await undoReorg({ pool, source: asking, networkId: 'ethereum', reorgDepth: REORG_DEPTH })
    expect(undone).toBe(fork)
    expect((await pool.query(`select from blocks where hash = 'late'`)).rows).toEqual([])
    await sync()
    await expectBranch(second)
    node.switchTo(first)
    await sync()
  })

  test('Y1, Y6 a sync killed at any statement, even during a reorg, resumes to the rows of an uninterrupted sync', async () => {
    const second = await branchOff(first, (await headOf(first)) - 9)
    nodes.push(second)
    await mineTransfers(second, { wallet: WALLET, blocks: 11, salt: 600 })
    node.switchTo(first)
    await sync()
    let kills = 0
    for (const target of [second, first, second]) {
      node.switchTo(target)
      for (let statements = 1; ; statements += 2) {
        try {
          await sync(failingPool(pool, statements))
          break
        } catch (error) {
          if (!(error instanceof Killed)) throw error
          kills++
        }
      }
    }
    expect(kills).toBeGreaterThan(40)
    await expectBranch(second)
    await sync(reference.pool)
    expect(await contents(pool)).toEqual(await contents(reference.pool))
  })
})

async function contents(of: pg.Pool) {
  const { rows } = await of.query(
    `select
       (select string_agg(t::text, ',' order by t::text) from (
          select number, hash from blocks where number in (select block_number from transactions)) as t) as blocks,
       (select md5(string_agg(t::text, ',' order by t::text)) from (
          select hash, block_hash, at, tx_index, value, fee, success from transactions) as t) as transactions,
       (select md5(string_agg(t::text, ',' order by t::text)) from (
          select tx_hash, kind, position, item, from_address, to_address, raw, block_hash from transfers) as t) as transfers,
       (select md5(string_agg(t::text, ',' order by t::text)) from (
          select hash, at, block_hash, type, coin_ids, fragment from wallet_transactions) as t) as wallet_transactions,
       (select md5(string_agg(t::text, ',' order by t::text)) from (
          select tx_hash, seq, role, coin_id, raw, block_hash from movements) as t) as movements,
       (select string_agg(t::text, ',' order by t::text) from (
          select coin_id, raw, block_hash from balances) as t) as balances,
       (select string_agg(t::text, ',') from (
          select cursor_block, normalised_block from wallet_syncs) as t) as cursor`,
  )
  return rows[0]
}
