import { beforeEach, describe, expect, test } from 'vitest'
import type { BlockRule } from '../../activities/chain/follow/verify-block.ts'
import { address } from '../setup/wallet-factories.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { base } from '../upstreams/nodes/base.ts'
import { tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { chainRows, follow, NETWORK, track } from './follow-directly.ts'
import { chainOf30, followDatabase } from './follow-database.ts'
import { followedPool } from './followed-pool.ts'
import { memoryNode } from './memory-node.ts'

// How a follower reads blocks, by what its nodes offer.

const { reorgDepth } = NETWORK
const [payer, wallet, token] = [address(1), address(2), address(4)] as const
const { pool, owner, empty } = await followDatabase()
let chain: MemoryChain

beforeEach(() => {
  chain = chainOf30(payer)
})

const pay = (to: string, value = 1n) => ({ from: payer, to, value })
const move = (to: string, raw = 7n) => tokenTransfer({ token, from: payer, to, raw })

async function method(): Promise<unknown> {
  const { rows } = await pool.query('select mode, method, method_reason from network_follows')
  return rows[0]
}

describe('case 18 a node that refuses receipts of blocks', () => {
  test('is asked for logs instead, and the rows are the same', async () => {
    const { node, nodes } = await followedPool(chain, base())
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    await expect(follower.step()).rejects.toThrow('not whitelisted')
    chain.mine(pay(wallet), pay(address(9)), move(wallet), { ...pay(wallet), fails: true })
    chain.mine({ from: wallet, to: null, value: 1n }, move(address(9)))
    await follower.catchUp()
    expect(await method()).toEqual({
      mode: 'blocks',
      method: 'logs',
      method_reason: 'no node that can be asked has the receipts of blocks',
    })
    const [{ calls }] = nodes as [(typeof nodes)[0]]
    // By hash alone: the refusal is of the method.
    expect(calls.filter((call) => call.method === 'eth_getBlockReceipts')).toHaveLength(8)
    const rows = await chainRows(pool)
    expect(rows['transactions']).toHaveLength(4)

    await empty()
    await track(pool, wallet)
    const byReceipts = await follow({ pool, node: memoryNode(chain) })
    await byReceipts.catchUp()
    expect(await method()).toMatchObject({ method: 'receipts', method_reason: null })
    expect(await chainRows(pool)).toEqual(rows)
  })

  test('needs two questions for a quiet block, and one more for each transaction of a wallet', async () => {
    await track(pool, wallet)
    const node = memoryNode(chain)
    node.lacks = ['eth_getBlockReceipts']
    const follower = await follow({ pool, node })
    await follower.catchUp()
    chain.mine(pay(address(9)), move(address(9)))
    node.asked = []
    await follower.step()
    // The last one confirms blocks: once a minute, and the clock of this test is ahead of it.
    expect(node.asked).toEqual(['eth_getBlockByNumber', 'eth_getLogs', 'eth_getBlockByNumber'])
    chain.mine(pay(wallet), move(wallet), move(address(9)))
    node.asked = []
    await follower.step()
    expect(node.asked.filter((one) => one === 'eth_getTransactionReceipt')).toHaveLength(2)
    expect(node.asked.slice(0, 2)).toEqual(['eth_getBlockByNumber', 'eth_getLogs'])
  })

  test('is asked again where its logs are not those of the block, and no block is skipped', async () => {
    await track(pool, wallet)
    const node = memoryNode(chain)
    node.lacks = ['eth_getBlockReceipts']
    const follower = await follow({ pool, node })
    await follower.catchUp()
    const { hash } = chain.mine(move(address(9)), move(wallet, 9n)).transactions[1]!
    node.distort = (asked, answer) => (asked === 'eth_getLogs' ? (answer as unknown[]).slice(0, 1) : answer)
    await expect(follower.step()).rejects.toThrow('the logs do not give the bloom filter of the header')
    node.distort = (asked, answer) =>
      asked === 'eth_getTransactionReceipt' ? { ...(answer as object), logs: [] } : answer
    await expect(follower.step()).rejects.toThrow('1 logs of')
    node.distort = (asked, answer) => (asked === 'eth_getTransactionReceipt' ? null : answer)
    await expect(follower.step()).rejects.toThrow('the node lags')
    node.distort = (_asked, answer) => answer
    await follower.step()
    expect((await pool.query('select hash from transactions')).rows).toEqual([{ hash }])
  })

  test('has its wallets that are added later looked up in the last blocks, and its reorgs undone', async () => {
    const node = memoryNode(chain)
    node.lacks = ['eth_getBlockReceipts']
    const follower = await follow({ pool, node })
    await follower.catchUp()
    chain.mine(move(wallet))
    await follower.catchUp()
    await track(pool, wallet)
    chain.mine(pay(wallet))
    await follower.catchUp()
    expect((await pool.query('select covered_from::int as block from wallet_syncs')).rows).toEqual([
      { block: 32 - reorgDepth },
    ])
    expect((await pool.query('select from transactions')).rowCount).toBe(2)
    node.chain = chain.fork(30, 'branch')
    node.chain.mine(pay(wallet, 2n))
    node.chain.mine(pay(wallet, 3n))
    node.chain.mine()
    await follower.catchUp()
    expect((await pool.query('select value::int as value from transactions order by 1')).rows).toEqual([
      { value: 2 },
      { value: 3 },
    ])
  })
})

describe('case 24 a rule that the chain itself breaks', () => {
  type Break = (method: string, answer: any) => unknown
  const breaks: Record<BlockRule, Break> = {
    gas: (_method, answer) => (answer.gasUsed ? { ...answer, gasUsed: '0x1' } : answer),
    bloom: (_method, answer) => (answer.gasUsed ? { ...answer, logsBloom: `0x${'1'.repeat(512)}` } : answer),
    logs: (method, answer) => {
      const renumber = (log: object) => ({ ...log, logIndex: '0x5' })
      if (method === 'eth_getLogs') return answer.map(renumber)
      const ofReceipt = (one: { logs: object[] }) => ({ ...one, logs: one.logs.map(renumber) })
      if (method === 'eth_getTransactionReceipt') return ofReceipt(answer)
      return method === 'eth_getBlockReceipts' ? answer.map(ofReceipt) : answer
    },
  }

  test.each<[BlockRule, by: string, lacks: string[]]>([
    ['gas', 'receipts', []],
    ['bloom', 'receipts', []],
    ['logs', 'receipts', []],
    ['bloom', 'logs', ['eth_getBlockReceipts']],
    ['logs', 'logs', ['eth_getBlockReceipts']],
  ])('%s, by %s: it is followed without the rule, and not with it', async (rule, _by, lacks) => {
    await track(pool, wallet)
    const node = memoryNode(chain)
    node.lacks = lacks
    const strict = await follow({ pool, node })
    await strict.catchUp()
    chain.mine(move(wallet))
    node.distort = breaks[rule]
    await expect(strict.step()).rejects.toThrow('rpc:ethereum: block 31')
    const lenient = await follow({ pool, node }, { ...NETWORK, unproven: new Set([rule]) })
    await lenient.catchUp()
    expect((await pool.query('select from transfers')).rowCount).toBe(1)
  })
})

describe('one block of each 500 is compared on two nodes', () => {
  /** Follows 500 blocks, the last of which has a log, until they are settled. */
  async function followed(lie: (log: object) => object) {
    while (chain.head() < 480) chain.mine()
    const { node, nodes, clock } = await followedPool(chain, anyNode(), anyNode())
    const follower = await follow({ pool, node, now: () => new Date(clock.now()) })
    await follower.catchUp()
    while (chain.head() < 499) chain.mine()
    chain.mine(move(address(9)))
    for (let i = 0; i < reorgDepth; i++) chain.mine()
    await follower.catchUp()
    // They are confirmed with the next one.
    chain.mine()
    nodes[1]!.state.distort = ({ method: asked }, answer) =>
      asked === 'eth_getBlockReceipts'
        ? (answer as { logs: object[] }[]).map((one) => ({ ...one, logs: one.logs.map(lie) }))
        : answer
    clock.advance(300_000)
    await follower.catchUp()
    return (await owner.query('select source, area, reason, payload from quarantine')).rows
  }

  test('a difference that the header does not show goes into quarantine with both answers', async () => {
    const rows = await followed((log) => ({ ...log, data: '0x01' }))
    expect(rows).toEqual([
      {
        source: 'rpc:ethereum',
        area: 'chain',
        reason: 'block 500: two nodes have different logs',
        payload: {
          nodes: [
            { node: expect.any(String), answer: { hash: chain.block(500)!.hash, logs: [expect.anything()] } },
            {
              node: expect.any(String),
              answer: { hash: chain.block(500)!.hash, logs: [expect.objectContaining({ data: '0x01' })] },
            },
          ],
        },
      },
    ])
    await owner.query('truncate quarantine')
  })

  test('equal answers leave no row', async () => {
    expect(await followed((log) => log)).toEqual([])
  })
})
