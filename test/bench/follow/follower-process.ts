import { createAddressSet } from '../../../activities/chain/follow/address-set.ts'
import { createEvmReader } from '../../../activities/chain/follow/evm-reader.ts'
import type { EvmNetwork } from '../../../activities/chain/follow/evm-reader.ts'
import { createFollower, followHead } from '../../../activities/chain/follow/follow-head.ts'
import type { FollowDeps } from '../../../activities/chain/follow/follow-head.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../../db/connect.ts'
import { withBatch } from '../../../activities/nodes/rpc-client.ts'
import type { RpcClient } from '../../../activities/nodes/rpc.ts'
import { beginFollow, readFollow } from '../../../db/chain/follows.ts'
import { oneNode } from '../../chain/one-node.ts'
import { testNetwork } from '../../chain/sync-directly.ts'
import { deriveAll } from '../../derive/derive-directly.ts'
import { answerParent } from './child.ts'
import { createArrivals } from './arrivals.ts'

// `follower-process.ts DATABASE NODE`: one attempt to follow the network, driven by messages.

export type FollowerTask =
  /** Follows the blocks up to a number: one by one as they come, or those that are there. */
  | { task: 'advance'; to: number; atOnce: boolean }
  /** Follows the blocks up to a number one by one, and derives after each of them what it touched. */
  | { task: 'derive'; to: number }
  /** Follows the loop itself on a clock that jumps to the next event, until the block was there for a while. */
  | { task: 'pass'; to: number }
  /** Follows the loop on the clock of this machine, until the block is committed. */
  | { task: 'live'; to: number; blockMs: number }

export interface FollowerAnswer {
  ms: number
  calls: Record<string, number>
}

const [databaseUrl, nodeUrl] = process.argv.slice(2) as [string, string]
const { pool, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'bench' })
const node = oneNode(nodeUrl, 'rpc:ethereum').heads
const network: EvmNetwork = {
  id: 'ethereum',
  source: 'rpc:ethereum',
  reorgDepth: 64,
  blockMs: 12_000,
  headTag: 'latest',
  unproven: new Set(),
  contracts: { wrapped: null, nativeToken: null, entryPoints: [] },
}
const plan = () => Promise.resolve({ tickMs: null, reason: null, node: null })
const derived = await testNetwork(pool, { networkId: network.id, url: nodeUrl })
const set = createAddressSet()
let calls: Record<string, number> = {}
const arrivals = createArrivals()

/** The node as it was when the newest block was `arrivals.head()`. */
async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
  calls[method] = (calls[method] ?? 0) + 1
  const head = arrivals.head()
  if (head === null) return await node.call(method, ...params)
  const [at, ...rest] = params
  if (at === 'latest') return await node.call(method, hex(head), ...rest)
  if (at === 'finalized') return await node.call(method, hex(Math.max(0, head - 64)), ...rest)
  return await node.call(method, ...params)
}

/** The same node for ranges, which it answers whatever its head is. */
const client: RpcClient = {
  ...withBatch({
    source: node.source,
    send(asked) {
      for (const { method } of asked) calls[method] = (calls[method] ?? 0) + 1
      return node.send(asked)
    },
  }),
  logRange: node.logRange,
  batchCalls: node.batchCalls,
  isOnPace: true,
}

const hex = (number: number) => `0x${number.toString(16)}`

const deps: FollowDeps = {
  pool,
  reader: createEvmReader(
    {
      pool,
      chooseNode: () => ({
        name: 'bench',
        plan: { account: 'bench', unit: 'calls', cost: () => 1, allowance: null, rate: null },
        client,
        unitsADay: null,
        ask,
      }),
      nodes: () => [],
      plan,
      set,
      now: arrivals.now,
    },
    network,
  ),
  now: arrivals.now,
  wait: arrivals.wait,
  isEnding: () => false,
  mostBehind: 1_000_000,
}

const startMs = performance.now()
const { epoch } = await beginFollow(pool, network.id)
const follower = await createFollower(deps, { network, epoch })
process.send!({ ms: performance.now() - startMs, addresses: set.size })

answerParent(async (message: FollowerTask): Promise<FollowerAnswer> => {
  calls = {}
  const beganMs = performance.now()
  if (message.task === 'advance') await advance(message)
  else if (message.task === 'derive') await derive(message.to)
  else await followLoop(message)
  return { ms: performance.now() - beganMs, calls }
}, close)

const cursor = async () => (await readFollow(pool, network.id))!.cursor!.number

async function advance({ to, atOnce }: { to: number; atOnce: boolean }): Promise<void> {
  let at = await cursor()
  while (at < to) {
    const head = atOnce ? to : at + 1
    arrivals.show(head, await timeOf(head))
    await follower.step()
    at = atOnce ? await cursor() : head
  }
}

async function derive(to: number): Promise<void> {
  for (let block = (await cursor()) + 1; block <= to; block++) {
    await advance({ to: block, atOnce: false })
    await deriveAll({ pool, network: derived, now: arrivals.now })
  }
}

async function followLoop(message: Extract<FollowerTask, { task: 'pass' | 'live' }>): Promise<void> {
  if (message.task === 'live') {
    arrivals.live()
    let isOver = false
    const loop = followHead(
      { ...deps, isEnding: () => isOver, wait: (ms) => sleep(ms) },
      { ...network, blockMs: message.blockMs },
    )
    while ((await cursor()) < message.to) await sleep(50)
    isOver = true
    await loop
    return
  }
  const first = await cursor()
  arrivals.pass({ first, at: await timeOf(first), blockMs: network.blockMs })
  while (arrivals.head()! < message.to)
    await followHead({ ...deps, isEnding: () => arrivals.head()! >= message.to }, network)
}

async function timeOf(number: number): Promise<number> {
  const block = (await node.call('eth_getBlockByNumber', hex(number), false)) as { timestamp: string }
  return Number(block.timestamp) * 1_000
}
