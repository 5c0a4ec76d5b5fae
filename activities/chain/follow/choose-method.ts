import type { NodeOffer } from '../../nodes/node-offers.ts'
import { blocksCost, rangesCost, shortestTick } from './method-costs.ts'
import type { DailyCost, NetworkToFollow } from './method-costs.ts'

export interface MethodChoice {
  networkId: string
  /** null: no allowance bears any method */
  method: 'receipts' | 'logs' | 'ranges' | null
  node: string | null
  /** time between two reads of a range; null: each block is read when it comes */
  tickMs: number | null
  cost: DailyCost
  /** units that the node's account has for heads of this network; null: no allowance is known */
  unitsADay: number | null
  /** why no better method is used; null: it is the best */
  reason: string | null
}

/**
 * Chooses how each network is followed, networks with most wallets first: by receipts, by logs, or by ranges with
 * the shortest tick that the allowance of a node bears.
 */
export function chooseMethods(networks: readonly NetworkToFollow[]): MethodChoice[] {
  const left = new Map<string, number>()
  const unitsOf = ({ account, unitsADay }: NodeOffer): number =>
    unitsADay === null ? Infinity : Math.max(0, left.get(account) ?? unitsADay)
  return networks
    .toSorted((a, b) => b.wallets - a.wallets)
    .map((network): MethodChoice => {
      const best = byBlocks(network, unitsOf) ?? byRanges(network, unitsOf)
      const { networkId, nodes } = network
      if (!best) {
        const reason =
          nodes.length === 0 ? 'no node can be asked' : 'no allowance of a node bears the logs of its blocks'
        const none = { method: null, node: null, tickMs: null, unitsADay: null }
        return { networkId, ...none, cost: { calls: 0, units: 0 }, reason }
      }
      const { node, ...choice } = best
      const units = unitsOf(node)
      left.set(node.account, units - choice.cost.units)
      return { networkId, node: node.name, unitsADay: units === Infinity ? null : units, ...choice }
    })
}

type Way = Pick<MethodChoice, 'method' | 'tickMs' | 'cost' | 'reason'> & { node: NodeOffer }
type UnitsOf = (node: NodeOffer) => number

function byBlocks(network: NetworkToFollow, unitsOf: UnitsOf): Way | null {
  const { nodes } = network
  for (const method of ['receipts', 'logs'] as const)
    for (const node of nodes) {
      if (method === 'receipts' ? !node.hasReceipts : node.logBlocks === 0) continue
      const cost = blocksCost(network, { node, method })
      if (cost.units > unitsOf(node)) continue
      return { method, node, tickMs: null, cost, reason: method === 'logs' ? noReceipts(nodes) : null }
    }
  return null
}

function byRanges(network: NetworkToFollow, unitsOf: UnitsOf): Way | null {
  const ways = network.nodes.flatMap((node): Way[] => {
    if (node.logBlocks === 0) return []
    const tickMs = shortestTick(network, { node, units: unitsOf(node) })
    if (tickMs === null) return []
    const cost = rangesCost(network, { node, tickMs })
    return [{ method: 'ranges', node, tickMs, cost, reason: 'no allowance of a node bears each block' }]
  })
  return ways.toSorted((a, b) => a.tickMs! - b.tickMs!)[0] ?? null
}

const noReceipts = (nodes: readonly NodeOffer[]): string =>
  nodes.some(({ hasReceipts }) => hasReceipts)
    ? 'no allowance of a node bears the receipts of each block'
    : 'no node that can be asked has the receipts of blocks'
