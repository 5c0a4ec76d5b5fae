import { beforeEach, describe, expect, test } from 'vitest'
import { keepMethods } from '../../activities/chain/follow/keep-method.ts'
import { createOffers } from '../../activities/nodes/node-offers.ts'
import { address } from '../setup/wallet-factories.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { base } from '../upstreams/nodes/base.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { infura } from '../upstreams/nodes/infura.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'
import { follow, NETWORK, track } from './follow-directly.ts'
import { chainOf30, followDatabase } from './follow-database.ts'
import { followedPool } from './followed-pool.ts'

// A follower that asks which method holds, before nodes whose allowances end.

const MINUTE = 60_000
const [payer, wallet] = [address(1), address(2)] as const
const { pool } = await followDatabase()
let chain: MemoryChain

beforeEach(() => {
  chain = chainOf30(payer)
})

async function followed(...vendors: Vendor[]) {
  await track(pool, wallet)
  const { node, nodes, clock, nodePool } = await followedPool(chain, ...vendors)
  const now = () => new Date(clock.now())
  const offersOf = createOffers(now)
  const { id: networkId, blockMs } = NETWORK
  const methods = keepMethods({
    networks: async () => [{ networkId, blockMs, wallets: 1, nodes: await offersOf(nodePool) }],
    now,
  })
  const follower = await follow({ pool, node, now, plan: () => methods.of(networkId) })
  await follower.catchUp()

  /** Mines a block that pays the wallet, and follows it. Returns how it was read. */
  async function next(): Promise<unknown> {
    chain.mine({ from: payer, to: wallet, value: 1n })
    await follower.catchUp()
    const { rows } = await pool.query('select method, method_reason as reason from network_follows')
    return rows[0]
  }

  const stored = async () => (await pool.query('select from transactions')).rowCount
  return { follower, next, nodes, clock, stored, methods }
}

const BY_RECEIPTS = { method: 'receipts', reason: null }
const BY_LOGS = { method: 'logs', reason: 'no node that can be asked has the receipts of blocks' }

describe('case 20', () => {
  test('429: the follower waits and goes on', async () => {
    const slow: Vendor = {
      ...anyNode(),
      quotas: [
        {
          row: 22,
          of: 'requests',
          limit: { name: 'requests', most: 3, span: 1_000 },
          refusal: { status: 429, code: 429, message: 'Too Many Requests' },
          refuses: 'whole',
        },
      ],
    }
    const { next, stored, clock } = await followed(slow)
    const startMs = clock.now()
    for (let i = 0; i < 5; i++) expect(await next()).toEqual(BY_RECEIPTS)
    expect(clock.now()).toBeGreaterThan(startMs)
    expect(await stored()).toBe(5)
  })

  /** The allowance of Infura, without its throughput. */
  const daily: Vendor = { ...infura, quotas: infura.quotas.filter(({ of }) => of === 'units') }

  test('a quota that is gone: another node at once, by what that has, and back when it is there again', async () => {
    const { follower, next, nodes, clock, stored } = await followed(daily, base())
    expect(await next()).toEqual(BY_RECEIPTS)
    nodes[0]!.spend(3_000_000)
    chain.mine({ from: payer, to: wallet, value: 1n })
    await expect(follower.step()).rejects.toMatchObject({ name: 'SourceUnavailable' })
    expect(await next()).toEqual(BY_LOGS)
    clock.advance(MINUTE)
    expect(await next()).toEqual(BY_LOGS)
    // A new day begins, and the node is looked at again.
    clock.advance(24 * 60 * MINUTE)
    await next()
    clock.advance(10 * MINUTE)
    expect(await next()).toEqual(BY_RECEIPTS)
    expect(await stored()).toBe(6)
  })

  test('a key that is revoked: another node, and none is an error that says why', async () => {
    const { follower, next, nodes, clock, stored, methods } = await followed(alchemy, anyNode())
    expect(await next()).toEqual(BY_RECEIPTS)
    nodes[0]!.state.keyIsRevoked = true
    chain.mine()
    await expect(follower.step()).rejects.toThrow('Must be authenticated!')
    expect(await next()).toEqual(BY_RECEIPTS)
    clock.advance(MINUTE)
    expect(await next()).toEqual(BY_RECEIPTS)
    expect(await methods.of(NETWORK.id)).toMatchObject({ node: new URL(nodes[1]!.nodeUrl).host })
    expect(await stored()).toBe(3)
  })
})
