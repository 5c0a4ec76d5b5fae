import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './happen.ts'
import type { World } from './world.ts'

const BLOCK_MS = 1_000
/** The time of a block is whole seconds, and it takes a moment to be mined. */
const AFTER_SECOND_MS = 100
const POLL_MS = 5

/**
 * Follows blocks of one second as the node mines them: from the node's answer to the row that a read of its
 * transactions finds.
 */
export async function measureLive(
  world: World,
  input: { wallets: number; blocks: number },
): Promise<{ p50Ms: number; p99Ms: number }> {
  const { chain } = world
  const first = await chain.head()
  const { rpc } = chain
  const follower = await world.follower({
    name: 'live',
    wallets: input.wallets,
    cursor: first,
    nodeUrl: rpc.url,
  })
  const tookMs: number[] = []
  const followed = follower.run({ task: 'live', to: first + input.blocks, blockMs: BLOCK_MS })
  for (let n = 1; n <= input.blocks; n++) {
    await chain.sendBusy()
    await sleep(BLOCK_MS - ((Date.now() - AFTER_SECOND_MS) % BLOCK_MS))
    await chain.mineNow()
    const minedMs = performance.now()
    while (!(await isServed(first + n))) await sleep(POLL_MS)
    tookMs.push(performance.now() - minedMs)
  }
  await followed
  await follower.end()
  return { p50Ms: percentile(tookMs, 50), p99Ms: percentile(tookMs, 99) }

  async function isServed(block: number): Promise<boolean> {
    const { rows } = await follower.database.query(
      `select from transactions where network_id = 'ethereum' and block_number >= $1 limit 1`,
      [block],
    )
    return rows.length > 0
  }
}
