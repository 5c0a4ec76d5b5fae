import { chooseMethods } from '../activities/chain/follow/choose-method.ts'
import type { MethodChoice } from '../activities/chain/follow/choose-method.ts'
import type { NetworkToFollow } from '../activities/chain/follow/method-costs.ts'
import { networksToFollow } from '../activities/chain/follow/networks-to-follow.ts'
import { readIngestConfig } from '../activities/config.ts'
import { createNodes } from '../activities/nodes/create-nodes.ts'
import { createOffers } from '../activities/nodes/node-offers.ts'
import { createSourceUsage } from '../activities/source-usage.ts'
import { duration } from '../db/values/duration.ts'
import { withOperatorDatabase } from './operator-database.ts'

/**
 * Returns how each network is, or would be, followed with these settings, as rows of a table. Needs the database of an
 * installation; asks each node about ten calls.
 */
export async function networkPlan(env: Record<string, string | undefined>) {
  const config = readIngestConfig(env)
  const { followedNetworks, rpcUrls } = config
  const networkIds = followedNetworks.length > 0 ? followedNetworks : Object.keys(rpcUrls)
  const now = () => new Date()
  const networks = await withOperatorDatabase(async (_db, pool) => {
    const usage = createSourceUsage({ pool, now, log: { warn: () => {} } })
    const { poolOf } = createNodes({ pool, config, now, usage, heartbeat: () => {} })
    const found = await networksToFollow({ pool, poolOf, offersOf: createOffers(now), networkIds })
    // Asking what nodes offer spends of their allowances too.
    await usage.close()
    return found
  })
  return chooseMethods(networks).map((choice) =>
    planLine(
      choice,
      networks.find(({ networkId }) => networkId === choice.networkId)!,
    ),
  )
}

function planLine(choice: MethodChoice, { wallets, blockMs }: NetworkToFollow) {
  const { networkId, node, method, tickMs, cost, unitsADay, reason } = choice
  return {
    network: networkId,
    wallets,
    node: node ?? '',
    method: method ?? 'off',
    tick: tickMs === null ? '' : duration(tickMs / 1_000),
    requests: cost.calls,
    units: cost.units,
    allowance: unitsADay ?? '',
    perSecond: cost.unitsASecond === null ? '' : Number(cost.unitsASecond.toFixed(1)),
    freshness: method === null ? '' : duration(Math.max(1_000, tickMs ?? blockMs) / 1_000),
    reason: reason ?? '',
  }
}
