import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { backfillStep } from '../../activities/chain/backfill-step.ts'
import { createAddressSet } from '../../activities/chain/follow/address-set.ts'
import { Superseded } from '../../activities/chain/follow/commit-batch.ts'
import { followHead } from '../../activities/chain/follow/follow-head.ts'
import { ReorgTooDeep, undoReorg } from '../../activities/chain/reorg.ts'
import { startSync } from '../../db/chain/syncs.ts'
import { openDb } from '../../db/connect.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { chainRows, emptyTables, follow, NETWORK, track } from './follow-directly.ts'
import { memoryNode } from './memory-node.ts'
import type { MemoryNode } from './memory-node.ts'

const { reorgDepth } = NETWORK
const [payer, wallet, other, token] = [address(1), address(2), address(3), address(4)] as const
const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
let chain: MemoryChain
let node: MemoryNode

afterAll(() => Promise.all([close(), owner.close()]))

beforeEach(async () => {
  await emptyTables(owner.pool)
  chain = createMemoryChain({ funds: { [payer]: 10n ** 30n } })
  mineEmpty(chain, 30)
  node = memoryNode(chain)
})

function mineEmpty(on: MemoryChain, blocks: number): void {
  for (let i = 0; i < blocks; i++) on.mine()
}

const pay = (to: string, value = 1n) => ({ from: payer, to, value })

async function query(sql: string): Promise<unknown[]> {
  return (await pool.query({ text: sql, rowMode: 'array' })).rows.flat()
}
const storedHashes = () => query('select hash from transactions order by block_number, tx_index')
const touched = () => query('select address from touched_wallets join wallets on id = wallet_id order by 1')
const coverage = () => query('select covered_from::int from wallet_syncs order by wallet_id')

/** The follower's state without times and epoch. */
async function state() {
  const { rows } = await pool.query(
    'select cursor_block::int as cursor, confirmed_block::int as confirmed, mode, reason from network_follows',
  )
  return rows[0]
}

describe('the follower', () => {
  test('commits each transaction of a tracked wallet once, and touches the wallet', async () => {
    await track(pool, wallet, other)
    const follower = await follow({ pool, node })
    chain.mine(pay(wallet), pay(address(9)), tokenTransfer({ token, from: payer, to: wallet, raw: 7n }))
    await follower.catchUp()
    chain.mine()
    await follower.catchUp()
    expect(await query('select kind from transfers order by 1')).toEqual(['erc20', 'native'])
    expect(await touched()).toEqual([wallet])
    expect(await state()).toMatchObject({ cursor: 32, mode: 'blocks', reason: null })
  })

  test('begins where blocks are settled, and asks two questions for a block without wallets', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    expect(await query('select number::int from blocks order by 1 limit 1')).toEqual([30 - reorgDepth])
    expect(await coverage()).toEqual([30 - reorgDepth])
    chain.mine(pay(other))
    node.asked = []
    await follower.step()
    expect(node.asked).toEqual([
      'eth_getBlockByNumber',
      'eth_getBlockReceipts',
      // once a minute, and the clock of this test is ahead of it
      'eth_getBlockByNumber',
    ])
  })

  test('a wallet that an unknown event names is touched and has no rows', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    const topics = [`0x${'5'.repeat(64)}`, `0x${wallet.slice(2).padStart(64, '0')}`]
    chain.mine({ ...pay(token, 0n), logs: [{ address: token, topics, data: '0x' }] })
    await follower.catchUp()
    expect(await touched()).toEqual([wallet])
    expect(await storedHashes()).toEqual([])
  })

  test('blocks without rows are dropped when they are confirmed, and the others stay', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    chain.mine(pay(wallet))
    mineEmpty(chain, 30)
    await follower.catchUp()
    mineEmpty(chain, 1)
    await follower.catchUp()
    const head = chain.head()
    expect(await state()).toMatchObject({ confirmed: head - reorgDepth })
    expect(await query('select number::int from blocks order by 1')).toEqual([
      31,
      ...Array.from({ length: reorgDepth + 1 }, (_, i) => head - reorgDepth + i),
    ])
  })

  test('a quiet block costs one transaction, with the note of the head and what it confirms', async () => {
    await track(pool, wallet)
    let nowMs = Date.now()
    const follower = await follow({ pool, node, now: () => new Date(nowMs) })
    await follower.catchUp()
    const last = 'select xmin::text from network_follows'
    for (let i = 0; i < 50; i++) {
      chain.mine()
      await follower.step()
      nowMs += 12_000
      // The next block is late.
      await follower.step()
      const [written] = await query('select xmin::text from blocks order by number desc limit 1')
      expect(await query(last)).toEqual([written])
    }
    expect(await state()).toMatchObject({ cursor: 80, confirmed: expect.toSatisfy((block) => block > 30) })
    nowMs += 15_000
    const before = await query(last)
    await follower.step()
    expect(await query(last)).not.toEqual(before)
  })

  test('a node that is behind the stored blocks replaces none of them', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    chain.mine(pay(wallet))
    await follower.catchUp()
    node.behind = 3
    await follower.step()
    const server = await node.serve()
    const { source } = await testNetwork(pool, { networkId: 'ethereum', url: server.url })
    expect(await undoReorg({ pool, source, networkId: 'ethereum', reorgDepth })).toBe(null)
    await server.stop()
    expect(await storedHashes()).toHaveLength(1)
  })
})

describe('coverage', () => {
  test('after a stop that is too long coverage begins anew, where blocks are settled', async () => {
    await track(pool, wallet)
    const before = await follow({ pool, node })
    await before.catchUp()
    chain.mine(pay(wallet))
    mineEmpty(chain, 1_000)
    const after = await follow({ pool, node })
    chain.mine(pay(wallet))
    await after.catchUp()
    expect(await coverage()).toEqual([1_032 - reorgDepth])
    expect(await query('select block_number::int from transactions')).toEqual([1_032])
    expect(await query('select count(*)::int from blocks where number between 31 and 1000')).toEqual([0])
  })

  test('case 1 a wallet that is added between fetch and commit misses no block', async () => {
    await track(pool, other)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    const { hash } = chain.mine(pay(wallet)).transactions[0]!
    let isAdded = false
    node.distort = async (method, answer) => {
      if (method !== 'eth_getBlockReceipts' || isAdded) return answer
      isAdded = true
      await track(pool, wallet)
      return answer
    }
    await follower.step()
    expect(await storedHashes()).toEqual([])
    chain.mine()
    await follower.step()
    expect(await storedHashes()).toEqual([hash])
    expect(await touched()).toEqual([wallet])
    // The candidates of the last blocks are known, so coverage begins with the first of them.
    expect(
      await query(`select covered_from::int from wallet_syncs join wallets on id = wallet_id
      where address = '${wallet}'`),
    ).toEqual([chain.head() - reorgDepth])
  })

  test('case 2 a wallet that is added while the follower is down is covered from its next block on', async () => {
    const before = await follow({ pool, node })
    await before.catchUp()
    await track(pool, wallet)
    mineEmpty(chain, 3)
    const { hash } = chain.mine(pay(wallet)).transactions[0]!
    const after = await follow({ pool, node })
    await after.catchUp()
    expect(await coverage()).toEqual([31])
    expect(await storedHashes()).toEqual([hash])
  })

  test('case 3 a thousand wallets that are added at once are covered by one batch', async () => {
    const follower = await follow({ pool, node })
    await follower.catchUp()
    const wallets = Array.from({ length: 1_000 }, (_, n) => address(1_000 + n))
    chain.mine(...wallets.slice(0, 50).map((to) => pay(to)))
    await follower.step()
    await track(pool, ...wallets)
    chain.mine(...wallets.slice(50, 100).map((to) => pay(to)))
    await follower.step()
    expect(new Set(await coverage())).toEqual(new Set([32 - reorgDepth]))
    expect(await storedHashes()).toHaveLength(100)
    expect(await touched()).toEqual(wallets.slice(0, 100))
  })

  test('case 5 rows below the blocks that a sync derived are derived when the follower finds them', async () => {
    const server = await node.serve()
    const network = await testNetwork(pool, { networkId: 'ethereum', url: server.url, reorgDepth })
    chain.mine(pay(wallet))
    await syncDirectly({ pool, network, address: wallet })
    // The explorer did not have the transaction yet.
    for (const table of ['transfers', 'transactions', 'movements', 'wallet_transactions', 'balances'])
      await pool.query(`delete from ${table}`)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    await deriveAll({ pool, network })
    await server.stop()
    expect(await query('select type from wallet_transactions')).toEqual(['deposit'])
  })

  test('case 6 a restart between commit and derive keeps the marks', async () => {
    await track(pool, wallet)
    const before = await follow({ pool, node })
    chain.mine(pay(wallet))
    await before.catchUp()
    const after = await follow({ pool, node })
    chain.mine(pay(wallet))
    await after.catchUp()
    expect(await query('select from_block::int, through_block::int, reason from touched_wallets')).toEqual([
      31,
      32,
      'block',
    ])
  })

  test('case 51 a process that takes over knows the wallets that another one covered', async () => {
    const older = createAddressSet()
    const before = await follow({ pool, node, set: older })
    await before.catchUp()
    await track(pool, wallet)
    const meanwhile = await follow({ pool, node })
    chain.mine()
    await meanwhile.catchUp()
    const { hash } = chain.mine(pay(wallet)).transactions[0]!
    const again = await follow({ pool, node, set: older })
    await again.catchUp()
    expect(await storedHashes()).toEqual([hash])
  })
})

describe('reorgs', () => {
  /** Tracks two wallets and follows blocks that pay both, `depth` of which another branch replaces. */
  async function replaced(depth: number) {
    await track(pool, wallet, other)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    for (let i = 0; i < depth; i++) chain.mine(pay(wallet), pay(other))
    await follower.catchUp()
    const branch = chain.fork(30, 'branch')
    for (let i = 0; i < depth; i++) branch.mine(pay(wallet, 2n))
    node.chain = branch
    return { follower, branch }
  }

  test.each([1, reorgDepth])('case 8 a reorg of depth %i is undone and followed', async (depth) => {
    const { follower, branch } = await replaced(depth)
    await follower.catchUp()
    const hashes = branch.block(branch.head())!.transactions.map(({ hash }) => hash)
    expect(await storedHashes()).toHaveLength(depth)
    expect((await storedHashes()).at(-1)).toBe(hashes[0])
    expect(await query('select reason from touched_wallets')).toEqual(['reorg', 'reorg'])
  })

  test('case 9 a reorg that is one block deeper stops the follower and deletes nothing', async () => {
    const { follower } = await replaced(reorgDepth + 1)
    const before = await chainRows(pool)
    await expect(follower.catchUp()).rejects.toThrow(ReorgTooDeep)
    expect(await followHead(follower.deps, NETWORK)).toBe('off')
    expect(await state()).toMatchObject({ mode: 'off', reason: expect.stringContaining('13 blocks deep') })
    expect(await chainRows(pool)).toEqual(before)
  })

  test('a shorter branch is not taken, and one of the same height is', async () => {
    const { follower, branch } = await replaced(3)
    node.chain = branch.fork(32, '')
    const before = await storedHashes()
    await follower.step()
    expect(await storedHashes()).toEqual(before)
    node.chain = branch
    await follower.catchUp()
    expect(await storedHashes()).toHaveLength(3)
  })

  test('case 10 a reorg during the back-fill of another wallet leaves rows of one branch', async () => {
    const { follower, branch } = await replaced(4)
    node.chain = chain
    const server = await node.serve()
    const network = await testNetwork(pool, { networkId: 'ethereum', url: server.url, reorgDepth })
    const third = address(7)
    chain.mine(pay(third))
    branch.mine(pay(third, 5n))
    const { walletId } = await startSync(pool, { address: third, networkId: 'ethereum', headBlock: 35 })
    const deps = { pool, now: () => new Date(), onProgress: () => {} }
    const input = {
      walletId,
      address: third,
      networkId: 'ethereum',
      headBlock: 35,
      lookBack: true,
      next: null,
    }
    await backfillStep(deps, network, input)
    node.chain = branch
    await follower.catchUp()
    await backfillStep(deps, network, input)
    await server.stop()
    const hashes = Array.from({ length: 5 }, (_, i) => branch.block(31 + i)!.transactions[0]!.hash)
    expect(await storedHashes()).toEqual(hashes)
    expect(await query('select distinct hash from blocks where number > 30 order by 1')).toEqual(
      Array.from({ length: 5 }, (_, i) => branch.block(31 + i)!.hash).toSorted(),
    )
  })

  test('case 12 a transaction that comes again in another block has one row, in that block', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    const { hash } = chain.mine(pay(wallet)).transactions[0]!
    await follower.catchUp()
    const branch = chain.fork(30, '')
    branch.mine()
    expect(branch.mine(pay(wallet)).transactions[0]!.hash).toBe(hash)
    node.chain = branch
    await follower.catchUp()
    expect(await query('select block_number::int, block_hash from transactions')).toEqual([
      32,
      branch.block(32)!.hash,
    ])
    expect(await query('select block_number::int from transfers')).toEqual([32])
  })

  test('case 15 a confirmed block that changes stops the follower and deletes nothing', async () => {
    const { follower, branch } = await replaced(4)
    node.chain = chain
    await pool.query('update network_follows set confirmed_block = 32')
    const before = await chainRows(pool)
    branch.mine()
    node.chain = branch
    await expect(follower.catchUp()).rejects.toThrow(ReorgTooDeep)
    expect(await chainRows(pool)).toEqual(before)
  })

  test('case 15 a settled block that is another one when it is compared stops the follower', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    chain.mine(pay(wallet))
    mineEmpty(chain, 2)
    await follower.catchUp()
    await pool.query(`update blocks set hash = '0x99' where number = 31`)
    mineEmpty(chain, reorgDepth + 1)
    await expect(follower.catchUp()).rejects.toThrow('block 31 is settled as 0x99')
    expect(await storedHashes()).toHaveLength(1)
  })
})

describe('nodes and attempts', () => {
  test.each<[offender: string, method: string, distort: (answer: unknown) => unknown]>([
    ['null', 'eth_getBlockReceipts', () => null],
    ['empty', 'eth_getBlockReceipts', () => []],
    ['short', 'eth_getBlockReceipts', (answer) => (answer as unknown[]).slice(1)],
    [
      'of another branch',
      'eth_getBlockReceipts',
      (answer) => (answer as object[]).map((one) => ({ ...one, blockHash: `0x${'9'.repeat(64)}` })),
    ],
  ])(
    'case 16 receipts that are %s are asked for again, and no block is skipped',
    async (_, method, distort) => {
      await track(pool, wallet)
      const follower = await follow({ pool, node })
      await follower.catchUp()
      const { hash } = chain.mine(pay(wallet)).transactions[0]!
      node.distort = (asked, answer) => (asked === method ? distort(answer) : answer)
      await expect(follower.step()).rejects.toThrow('rpc:ethereum: block 31')
      expect(await state()).toMatchObject({ cursor: 30 })
      node.distort = (_asked, answer) => answer
      await follower.step()
      expect(await storedHashes()).toEqual([hash])
    },
  )

  test('case 25 an attempt that stood still while another took over writes no row and moves no cursor', async () => {
    await track(pool, wallet)
    const stopped = await follow({ pool, node })
    await stopped.catchUp()
    const { hash } = chain.mine(pay(wallet)).transactions[0]!
    let isStopped = false
    node.distort = async (method, answer) => {
      if (method !== 'eth_getBlockReceipts' || isStopped) return answer
      isStopped = true
      const other = await follow({ pool, node })
      await other.catchUp()
      chain.mine()
      await other.catchUp()
      return answer
    }
    await expect(stopped.step()).rejects.toThrow(Superseded)
    expect(await storedHashes()).toEqual([hash])
    expect(await state()).toMatchObject({ cursor: 32 })
    expect(await followHead({ ...stopped.deps, isEnding: () => true }, NETWORK)).toBe('again')
  })

  test('the loop ends after an hour, tries a failing node again, and says why it does not advance', async () => {
    await track(pool, wallet)
    const { deps } = await follow({ pool, node })
    let ms = chain.block(30)!.timestamp * 1_000
    let waits = 0
    const reasons = new Set<unknown>()
    node.distort = (method, answer) =>
      method === 'eth_getBlockReceipts' && waits > 10 && waits < 13 ? null : answer
    const ended = await followHead(
      {
        ...deps,
        now: () => new Date(ms),
        async wait(waitMs) {
          ms += ++waits < 30 ? waitMs : 3_600_000
          reasons.add((await state()).reason?.replace(/.*: /, '') ?? null)
          const next = () => chain.block(chain.head())!.timestamp * 1_000 + 12_000
          while (waits < 30 && next() <= ms) chain.mine()
        },
      },
      NETWORK,
    )
    expect(ended).toBe('again')
    expect([...reasons]).toEqual([null, 'the node has no receipts of it'])
    expect(await state()).toMatchObject({ cursor: chain.head(), reason: null })
    expect(chain.head()).toBeGreaterThan(45)
  })
})
