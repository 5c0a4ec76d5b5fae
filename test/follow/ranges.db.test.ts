import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { createMemoryChain, tokenApproval, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { ENTRY_POINT, userOperation } from '../upstreams/nodes/user-operation.ts'
import { quicknode } from '../upstreams/nodes/quicknode.ts'
import { logRange, missing } from '../upstreams/nodes/vendor.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'
import { BY_BLOCKS, BY_RANGES, chainRows, emptyTables, follow, NETWORK, track } from './follow-directly.ts'
import { memoryNode } from './memory-node.ts'
import type { MemoryNode } from './memory-node.ts'
import { followedPool } from './followed-pool.ts'

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
  chain = createMemoryChain({ funds: { [payer]: 10n ** 30n, [wallet]: 10n ** 30n } })
  mineEmpty(chain, 30)
  node = memoryNode(chain)
})

function mineEmpty(on: MemoryChain, blocks: number): void {
  for (let i = 0; i < blocks; i++) on.mine()
}

const pay = (to: string, value = 1n) => ({ from: payer, to, value })
const move = (to: string, raw = 7n) => tokenTransfer({ token, from: payer, to, raw })
const sponsored = userOperation({ sender: wallet, paymaster: payer, gasCost: 5n })
const plan = () => Promise.resolve(BY_RANGES)

async function query(sql: string): Promise<unknown[]> {
  return (await pool.query({ text: sql, rowMode: 'array' })).rows.flat()
}
const storedBlocks = () => query('select block_number::int from transactions order by block_number, tx_index')
const touched = () => query('select address from touched_wallets join wallets on id = wallet_id order by 1')

/** A follower by ranges at the head, with two wallets. */
async function followed() {
  await track(pool, wallet, other)
  const follower = await follow({ pool, node, plan })
  await follower.catchUp()
  return follower
}

describe('a follower by ranges', () => {
  test('reads only the blocks that concern a wallet, and says how it reads', async () => {
    const follower = await followed()
    mineEmpty(chain, 9)
    chain.mine(pay(address(9)), move(address(9)))
    node.asked = []
    await follower.step()
    // Head, cursor, three filters, balances, the head again; the last ones confirm.
    expect(node.asked.slice(0, 7)).toEqual([
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getLogs',
      'eth_getLogs',
      'eth_getLogs',
      'eth_call',
      'eth_getBlockByNumber',
    ])
    expect(node.asked).not.toContain('eth_getBlockReceipts')
    expect(await query('select mode, method, tick_ms, method_reason from network_follows')).toEqual([
      'ranges',
      'ranges',
      30_000,
      'the test wants it',
    ])
    chain.mine(move(wallet))
    mineEmpty(chain, 3)
    chain.mine(pay(other))
    mineEmpty(chain, 3)
    node.asked = []
    await follower.step()
    expect(node.asked.filter((one) => one === 'eth_getBlockReceipts')).toHaveLength(2)
    expect(await storedBlocks()).toEqual([41, 45])
    expect(await touched()).toEqual([wallet, other])
    expect(await query('select cursor_block::int from network_follows')).toEqual([48])
  })

  test('waits for its tick after each range', async () => {
    const follower = await followed()
    mineEmpty(chain, 2)
    expect(await follower.step()).toBe(30_000)
    expect(await follower.step()).toBe(30_000)
  })

  test('stores the rows that a follower by blocks stores', async () => {
    const follower = await followed()
    chain.mine(pay(wallet, 5n), pay(wallet, 6n))
    chain.mine({ from: wallet, to: null, value: 3n }, move(other))
    mineEmpty(chain, 5)
    chain.mine({ from: wallet, to: other, value: 2n, fails: true })
    chain.mine({ ...tokenTransfer({ token, from: wallet, to: other, raw: 2n }), value: 1n })
    await follower.catchUp()
    const rows = await chainRows(pool)
    expect(rows['transactions']).toHaveLength(6)
    await emptyTables(owner.pool)
    await track(pool, wallet, other)
    const byBlocks = await follow({ pool, node })
    await byBlocks.catchUp()
    expect(await chainRows(pool)).toEqual(rows)
  })

  test('touches a wallet that a contract sent native value to, which blocks do not show', async () => {
    const follower = await followed()
    mineEmpty(chain, 4)
    chain.mine({ ...pay(token, 0n), internals: [{ from: token, to: wallet, value: 9n }] })
    mineEmpty(chain, 4)
    await follower.catchUp()
    expect(await touched()).toEqual([wallet])
    expect(await query('select from_block::int, through_block::int from touched_wallets')).toEqual([35, 35])
    expect(await storedBlocks()).toEqual([])
  })

  test('sees a smart account whose operation another one pays, and only approvals of the wallet itself', async () => {
    const follower = await followed()
    chain.mine({ ...pay(ENTRY_POINT, 0n), logs: [sponsored] })
    chain.mine({ ...pay(token, 0n), logs: [tokenApproval({ token, from: payer, to: other, raw: 1n })] })
    chain.mine({ ...pay(token, 0n), logs: [tokenApproval({ token, from: other, to: payer, raw: 1n })] })
    mineEmpty(chain, 2)
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([31, 33])
    expect(await touched()).toEqual([wallet, other])
    // What is left out of the rows is no log that a node had left out: the audit does not read its block.
    node.asked = []
    mineEmpty(chain, reorgDepth + 5)
    await follower.catchUp()
    expect(node.asked).not.toContain('eth_getBlockReceipts')
  })

  test('does not see what leaves a wallet as it came within a range, or moves nothing: known losses', async () => {
    const follower = await followed()
    const through = [
      { from: token, to: other, value: 9n },
      { from: other, to: token, value: 9n },
    ]
    chain.mine({ ...pay(token, 0n), internals: through }, { ...pay(other), fails: true })
    await follower.catchUp()
    expect(await touched()).toEqual([])
  })

  test('covers a wallet that is added from its next range on', async () => {
    const follower = await followed()
    const third = address(7)
    chain.mine(pay(third))
    await follower.catchUp()
    await track(pool, third)
    chain.mine(pay(third), move(third))
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([32, 32])
    expect(
      await query(`select covered_from::int from wallet_syncs join wallets on id = wallet_id
        where address = '${third}'`),
    ).toEqual([32])
  })

  test('asks one filter for all accounts where calls are counted', async () => {
    await track(pool, wallet)
    node.plan.allowance = { units: 1_000_000, per: 'day' }
    const follower = await follow({ pool, node, plan })
    await follower.catchUp()
    chain.mine(move(address(9)))
    chain.mine(move(wallet))
    node.asked = []
    await follower.step()
    expect(node.asked.filter((one) => one === 'eth_getLogs')).toHaveLength(1)
    expect(await storedBlocks()).toEqual([32])
  })

  test('goes on by blocks and back, without a gap in its coverage', async () => {
    await track(pool, wallet)
    let now = BY_RANGES
    const follower = await follow({ pool, node, plan: () => Promise.resolve(now) })
    await follower.catchUp()
    for (const next of [BY_BLOCKS, BY_RANGES, BY_BLOCKS]) {
      chain.mine(pay(wallet))
      mineEmpty(chain, 2)
      await follower.catchUp()
      now = next
    }
    // Looked up in the blocks that were read since, and in none before.
    await track(pool, other)
    chain.mine(pay(other))
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([31, 34, 37, 40])
    expect(await query('select covered_from::int from wallet_syncs order by wallet_id')).toEqual([
      30 - reorgDepth,
      40,
    ])
  })

  test('undoes a reorg back to the last block that it stored', async () => {
    const follower = await followed()
    mineEmpty(chain, 3)
    chain.mine(pay(wallet))
    await follower.catchUp()
    mineEmpty(chain, 2)
    chain.mine(pay(other))
    await follower.catchUp()
    node.chain = chain.fork(35, 'branch')
    node.chain.mine(pay(wallet, 2n))
    mineEmpty(node.chain, 3)
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([34, 36])
    expect(await query('select reason from touched_wallets order by wallet_id')).toEqual(['block', 'reorg'])
    expect(await query('select covered_from::int from wallet_syncs')).toEqual(Array(2).fill(30 - reorgDepth))
  })

  test('reads a range again when a reorg happened meanwhile', async () => {
    const follower = await followed()
    mineEmpty(chain, 2)
    const before = await query('select cursor_block from network_follows')
    node.distort = (method, answer) => {
      if (method === 'eth_call') {
        node.chain = chain.fork(31, 'branch')
        node.chain.mine(pay(wallet))
        mineEmpty(node.chain, 1)
      }
      return answer
    }
    await expect(follower.step()).rejects.toThrow('a reorg happened during the read')
    expect(await query('select cursor_block from network_follows')).toEqual(before)
    node.distort = (_method, answer) => answer
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([32])
  })
})

describe('case 17 a log that a node leaves out of a range', () => {
  test('is found when the range is settled, by another node, and its wallet is touched', async () => {
    const { node: both, nodes } = await followedPool(chain, anyNode(), anyNode())
    await track(pool, wallet)
    const follower = await follow({ pool, node: both, plan })
    await follower.catchUp()
    const { hash } = chain.mine(move(wallet)).transactions[0]!
    chain.mine(move(wallet), pay(wallet))
    nodes[0]!.state.distort = ({ method }, answer) =>
      method === 'eth_getLogs'
        ? (answer as { transactionHash: string }[]).filter((log) => log.transactionHash !== hash)
        : answer
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([32, 32])
    await pool.query('delete from touched_wallets')
    mineEmpty(chain, reorgDepth)
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([31, 32, 32])
    expect(await query('select from_block::int, through_block::int from touched_wallets')).toEqual([31, 31])
    expect(nodes[1]!.calls.some(({ method }) => method === 'eth_getLogs')).toBe(true)
    expect(await query('select confirmed_block::int from network_follows')).toEqual([32])
  })

  test('is found by the second reading of the only node', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node, plan })
    await follower.catchUp()
    chain.mine(move(wallet))
    node.distort = (method, answer) => (method === 'eth_getLogs' ? [] : answer)
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([])
    node.distort = (_method, answer) => answer
    mineEmpty(chain, reorgDepth)
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([31])
  })

  test('in several blocks touches its wallet from the first to the last of them', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node, plan })
    await follower.catchUp()
    // Logs of what a wallet gives are asked for apart from those of what it gets.
    chain.mine(move(wallet))
    mineEmpty(chain, 1)
    chain.mine({ ...tokenTransfer({ token, from: wallet, to: address(0xb1), raw: 5n }), from: payer })
    node.distort = (method, answer) => (method === 'eth_getLogs' ? [] : answer)
    await follower.catchUp()
    node.distort = (_method, answer) => answer
    await pool.query('delete from touched_wallets')
    mineEmpty(chain, reorgDepth)
    await follower.catchUp()
    expect(await query('select from_block::int, through_block::int from touched_wallets')).toEqual([31, 33])
  })

  test('blocks that were read whole are not read a second time', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    mineEmpty(chain, reorgDepth + 3)
    await follower.catchUp()
    expect(node.asked).not.toContain('eth_getLogs')
  })
})

describe('case 21 after all nodes were dead for an hour', () => {
  /** Mines 300 blocks, three of which concern the wallet, while the nodes are dead. */
  async function afterAnHour(...vendors: Vendor[]) {
    await track(pool, wallet)
    const { node: some, nodes, clock } = await followedPool(chain, ...vendors)
    const follower = await follow({ pool, node: some, now: () => new Date(clock.now()) })
    await follower.catchUp()
    for (const { state } of nodes) state.isDown = true
    await expect(follower.step()).rejects.toMatchObject({ name: 'SourceUnavailable' })
    for (let i = 0; i < 3; i++) {
      mineEmpty(chain, 98)
      chain.mine(move(wallet))
      chain.mine(pay(wallet))
    }
    for (const { state, calls } of nodes) {
      state.isDown = false
      calls.length = 0
    }
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([129, 130, 229, 230, 329, 330])
    const asked = nodes.flatMap(({ calls }) => calls.map(({ method }) => method))
    return { follower, asked, clock, count: (method: string) => asked.filter((one) => one === method).length }
  }

  test('settled blocks are read by ranges where that is cheaper, and the last ones whole', async () => {
    const { asked, count, follower, clock } = await afterAnHour(anyNode(), anyNode())
    expect(count('eth_getBlockReceipts')).toBe(4 + reorgDepth)
    expect(asked.length).toBeLessThan(100)
    expect(await query('select mode, method from network_follows')).toEqual(['blocks', 'receipts'])
    mineEmpty(chain, reorgDepth)
    clock.advance(300_000)
    await follower.catchUp()
    expect(await query('select confirmed_block::int from network_follows')).toEqual([330])
  })

  test('all blocks are read whole where the node has no balances of them', async () => {
    const refusal = () => ({ code: -32000, message: 'missing trie node' })
    const vendor = { ...anyNode(), rules: [missing(22, { methods: /^eth_(call|getBalance)$/, refusal })] }
    const { count } = await afterAnHour(vendor)
    expect(count('eth_getBlockReceipts')).toBe(300)
    expect(count('eth_call')).toBe(1)
    expect(await query('select mode, method_reason from network_follows')).toEqual([
      'blocks',
      expect.stringContaining('missing trie node'),
    ])
  })

  test('all blocks are read whole where most of them concern wallets', async () => {
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    const mineBusy = () => chain.mine(pay(wallet))
    for (let i = 0; i < 25; i++) {
      mineBusy()
      await follower.step()
    }
    for (let i = 0; i < 100; i++) mineBusy()
    node.asked = []
    await follower.catchUp()
    expect(node.asked).not.toContain('eth_call')
  })
})

describe('case 19 ranges that a plan allows are learnt from its refusals', () => {
  const wide: Vendor = {
    ...anyNode(),
    rules: [
      logRange(19, { most: 2_000, refusal: () => ({ code: -32602, message: 'block range is too wide' }) }),
    ],
  }
  test.each([
    ['5 of QuickNode', quicknode, 60, 5],
    ['10 of Alchemy', alchemy, 120, 10],
    ['2,000 without a number', wide, 6_000, 2_000],
  ])('%s', async (_name, vendor, blocks, most) => {
    const { node: one, nodes } = await followedPool(chain, vendor)
    await track(pool, wallet)
    const follower = await follow({ pool, node: one, plan, mostBehind: 10_000 })
    await follower.catchUp()
    for (let i = 0; i < 3; i++) {
      mineEmpty(chain, blocks / 3 - 1)
      chain.mine(move(wallet))
    }
    await follower.catchUp()
    expect(await storedBlocks()).toEqual([1, 2, 3].map((i) => 30 + (i * blocks) / 3))
    const asked = nodes[0]!.calls.filter(({ method }) => method === 'eth_getLogs')
    nodes[0]!.calls.length = 0
    mineEmpty(chain, most)
    await follower.catchUp()
    const sizes = nodes[0]!.calls.flatMap(({ method, params }) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      return method === 'eth_getLogs' ? [Number(toBlock) - Number(fromBlock) + 1] : []
    })
    expect(asked.length).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
  })
})
