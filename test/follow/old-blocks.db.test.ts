import { beforeEach, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { address } from '../setup/wallet-factories.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { archive } from '../upstreams/nodes/vendor.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'
import { chainOf30, followDatabase } from './follow-database.ts'
import { follow, NETWORK, track } from './follow-directly.ts'
import { followedPool } from './followed-pool.ts'

// Public nodes keep few blocks: row 18 of the doubles.

const { reorgDepth } = NETWORK
const [payer, wallet] = [address(1), address(2)] as const
const { pool } = await followDatabase()
let chain: MemoryChain

beforeEach(async () => {
  chain = chainOf30(payer)
  await track(pool, wallet)
})

const message = 'Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode'
const keeping = (keeps: number): Vendor => ({
  ...anyNode(),
  rules: [archive(18, { keeps, refusal: { status: 403, code: -32602, message } })],
})

async function state() {
  const { rows } = await pool.query<{ cursor: number; confirmed: number }>(
    'select cursor_block::int as cursor, confirmed_block::int as confirmed from network_follows',
  )
  return rows[0]!
}

function mine(blocks: number): void {
  for (let i = 0; i < blocks; i++) chain.mine({ from: payer, to: wallet, value: 1n })
}

test('blocks that the first node does not keep come from another one, and new ones from the first again', async () => {
  const { node, nodes } = await followedPool(chain, keeping(reorgDepth - 2), anyNode())
  const follower = await follow({ pool, node })
  await expect(follower.step()).rejects.toThrow(SourceUnavailable)
  await follower.catchUp()
  const receipts = () =>
    nodes.map(({ calls }) => calls.filter(({ method }) => method === 'eth_getBlockReceipts').length)
  expect(receipts()[1]).toBeGreaterThan(0)
  const before = receipts()
  mine(1)
  await follower.catchUp()
  expect(receipts()).toEqual([before[0]! + 1, before[1]])
  // The second node compared what is settled.
  expect(await state()).toMatchObject({ cursor: 31, confirmed: 31 - reorgDepth })
})

test('after a stop that is longer than any node keeps blocks, the follower begins anew at the head', async () => {
  const { node } = await followedPool(chain, keeping(reorgDepth + 5))
  const follower = await follow({ pool, node })
  await follower.catchUp()
  mine(60)
  await expect(follower.step()).rejects.toThrow(SourceUnavailable)
  await follower.catchUp()
  expect(await state()).toMatchObject({ cursor: 90 })
  const { rows } = await pool.query('select covered_from::int as block from wallet_syncs')
  expect(rows).toEqual([{ block: 90 - reorgDepth }])
})

test('blocks that settle after every node has dropped them count as confirmed', async () => {
  chain = chainOf30(payer).fork(8, '')
  const { node } = await followedPool(chain, keeping(reorgDepth - 2))
  const follower = await follow({ pool, node })
  for (let i = 0; i < 20; i++) {
    mine(1)
    await follower.catchUp()
  }
  expect(await state()).toMatchObject({ cursor: 28, confirmed: 28 - reorgDepth })
})
