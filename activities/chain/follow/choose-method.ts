import type { NodeOffer } from '../../nodes/node-offers.ts'
import { blocksCost, LONGEST_TICK_MS, longestTick, rangesCost, shortestTick } from './method-costs.ts'
import type { DailyCost, NetworkToFollow } from './method-costs.ts'

export interface MethodChoice {
  networkId: string
  /** null: no node bears any method */
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

type Way = Pick<MethodChoice, 'method' | 'tickMs' | 'cost' | 'reason'> & { node: NodeOffer }
type FindWay = (network: NetworkToFollow, means: Means) => Way | null

/** Every network gets this before any gets more. */
const ENOUGH_TICK_MS = 60_000

/** What the networks ask for in turn: the first ones must not leave the last ones without any method. */
const TURNS: readonly FindWay[] = [
  (network, means) => byTick(network, means, LONGEST_TICK_MS),
  (network, means) => byTick(network, means, ENOUGH_TICK_MS),
  byBlocks,
  byShortestTick,
]

/**
 * Chooses how each network is followed, networks with most wallets first: by receipts, by logs, or by ranges with
 * the shortest tick that the allowance and the rate of a node bear.
 */
export function chooseMethods(networks: readonly NetworkToFollow[]): MethodChoice[] {
  const order = networks.toSorted((a, b) => b.wallets - a.wallets)
  const ways = new Map<string, Way>()
  const meansFor = ({ networkId }: NetworkToFollow): Means =>
    leftBy([...ways].flatMap(([id, way]) => (id === networkId ? [] : way)))
  for (const find of TURNS)
    for (const network of order) {
      const isByBlocks = ways.get(network.networkId)?.tickMs === null
      const way = isByBlocks ? null : find(network, meansFor(network))
      if (way) ways.set(network.networkId, way)
    }
  return order.map((network): MethodChoice => {
    const { networkId } = network
    const means = meansFor(network)
    const best = ways.get(networkId)
    if (!best) {
      const none = { method: null, node: null, tickMs: null, unitsADay: null }
      const cost = { calls: 0, units: 0, unitsASecond: null }
      return { networkId, ...none, cost, reason: whyNone(network, means) }
    }
    const { node, ...choice } = best
    return { networkId, node: node.name, unitsADay: means.unitsADay(node), ...choice }
  })
}

/** What of a node is not enough: the units of its day, or those of a second. */
type Lack = 'allowance' | 'rate'

/** What the accounts of nodes have left for heads. */
interface Means {
  /** null: no allowance is known */
  unitsADay: (node: NodeOffer) => number | null
  /** null: the node bears the cost */
  lack: (node: NodeOffer, cost: DailyCost) => Lack | null
}

function leftBy(others: readonly Way[]): Means {
  const taken = (account: string, of: (cost: DailyCost) => number) =>
    others.reduce((sum, { node, cost }) => (node.account === account ? sum + of(cost) : sum), 0)
  const unitsADay = ({ account, unitsADay: all }: NodeOffer) =>
    all === null ? null : Math.max(0, all - taken(account, ({ units }) => units))
  return {
    unitsADay,
    lack(node, { units, unitsASecond }) {
      if (units > (unitsADay(node) ?? Infinity)) return 'allowance'
      if (node.rate === null || unitsASecond === null) return null
      const used = taken(node.account, (cost) => cost.unitsASecond ?? 0)
      return unitsASecond > node.rate.unitsASecond - used ? 'rate' : null
    },
  }
}

function byBlocks(network: NetworkToFollow, means: Means): Way | null {
  const { nodes } = network
  for (const method of ['receipts', 'logs'] as const)
    for (const node of nodes) {
      if (method === 'receipts' ? !node.hasReceipts : node.logBlocks === 0) continue
      const cost = blocksCost(network, { node, method })
      if (means.lack(node, cost) !== null) continue
      const reason = method === 'logs' ? noReceipts(network, means) : null
      return { method, node, tickMs: null, cost, reason }
    }
  return null
}

/** By the node that has most left after it. */
function byTick(network: NetworkToFollow, means: Means, tickMs: number): Way | null {
  const ways = network.nodes
    .filter((node) => node.logBlocks > 0 && tickMs <= longestTick(network, node))
    .map((node) => rangesWay(network, means, { node, tickMs: Math.max(tickMs, network.blockMs) }))
    .filter(({ node, cost }) => means.lack(node, cost) === null)
  const used = ({ node, cost }: Way) => cost.units / (means.unitsADay(node) ?? Infinity)
  return ways.toSorted((a, b) => used(a) - used(b))[0] ?? null
}

function byShortestTick(network: NetworkToFollow, means: Means): Way | null {
  const ways = network.nodes.flatMap((node): Way[] => {
    if (node.logBlocks === 0) return []
    const tickMs = shortestTick(network, { node, fitsCost: (cost) => means.lack(node, cost) === null })
    return tickMs === null ? [] : [rangesWay(network, means, { node, tickMs })]
  })
  return ways.toSorted((a, b) => a.tickMs! - b.tickMs!)[0] ?? null
}

const rangesWay = (
  network: NetworkToFollow,
  means: Means,
  { node, tickMs }: { node: NodeOffer; tickMs: number },
): Way => ({
  method: 'ranges',
  node,
  tickMs,
  cost: rangesCost(network, { node, tickMs }),
  reason: `no ${lackForBlocks(network, means)} of a node bears each block`,
})

/** The longest tick costs least. */
function whyNone(network: NetworkToFollow, means: Means): string {
  if (network.nodes.length === 0) return 'no node can be asked'
  const lacks = network.nodes.flatMap((node) =>
    node.logBlocks === 0 ? [] : means.lack(node, rangesCost(network, { node, tickMs: LONGEST_TICK_MS })),
  )
  return `no ${lackOf(lacks)} of a node bears the logs of its blocks`
}

function noReceipts(network: NetworkToFollow, means: Means): string {
  const lacks = network.nodes.flatMap((node) =>
    node.hasReceipts ? means.lack(node, blocksCost(network, { node, method: 'receipts' })) : [],
  )
  return lacks.length > 0
    ? `no ${lackOf(lacks)} of a node bears the receipts of each block`
    : 'no node that can be asked has the receipts of blocks'
}

function lackForBlocks(network: NetworkToFollow, means: Means): Lack {
  const lacks = network.nodes.flatMap((node) => [
    node.hasReceipts ? means.lack(node, blocksCost(network, { node, method: 'receipts' })) : null,
    node.logBlocks > 0 ? means.lack(node, blocksCost(network, { node, method: 'logs' })) : null,
  ])
  return lackOf(lacks)
}

/** Where a node's allowance bears it, a better rate is all that is lacking. */
const lackOf = (lacks: readonly (Lack | null)[]): Lack => (lacks.includes('rate') ? 'rate' : 'allowance')
