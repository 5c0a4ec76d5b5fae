import { BALANCES_PER_CALL } from '../../nodes/many-balances.ts'
import type { NodeOffer } from '../../nodes/node-offers.ts'
import type { PlanRate } from '../../nodes/node-plans.ts'
import { HEADERS_PER_RANGE } from './fetch-ranges.ts'
import { filterCount } from './wallet-logs.ts'

export interface NetworkToFollow {
  networkId: string
  blockMs: number
  wallets: number
  /** those that can be asked, in order of preference */
  nodes: readonly NodeOffer[]
}

/** What following a network takes of a node in a day. */
export interface DailyCost {
  calls: number
  /** in the vendor's units */
  units: number
  /** on average, in the units of its rate; null: it has none that is known. Infinity: a call exceeds it alone */
  unitsASecond: number | null
}

const DAY_MS = 86_400_000
/** Questions for the head of which some find no new block. */
const POLLS_PER_BLOCK = 1.1
/** Faster chains are read in batches. */
const LEAST_TICK_MS = 1_000
/** Slower than that, polling each wallet is as fresh. */
export const LONGEST_TICK_MS = 600_000

/** Each block by its header and its receipts or logs. */
export function blocksCost(
  { blockMs }: NetworkToFollow,
  { node, method }: { node: NodeOffer; method: 'receipts' | 'logs' },
): DailyCost {
  const blocks = DAY_MS / blockMs
  const call = method === 'receipts' ? 'eth_getBlockReceipts' : 'eth_getLogs'
  return sumOf(node, { eth_getBlockByNumber: blocks * POLLS_PER_BLOCK, [call]: blocks })
}

/** Ranges of a tick. Their logs are read twice, because a node may leave some out. */
export function rangesCost(
  { blockMs, wallets }: NetworkToFollow,
  { node, tickMs }: { node: NodeOffer; tickMs: number },
): DailyCost {
  const ticks = DAY_MS / tickMs
  const filters = filterCount({ wallets, isCounted: node.unitsADay !== null })
  return sumOf(node, {
    eth_getBlockByNumber: ticks * HEADERS_PER_RANGE,
    eth_call: ticks * Math.ceil(wallets / BALANCES_PER_CALL),
    eth_getLogs: 2 * filters * Math.max(ticks, DAY_MS / blockMs / node.logBlocks),
  })
}

/** The longest time between two ranges that the node has the blocks for. */
export const longestTick = ({ blockMs }: NetworkToFollow, { hasOldBlocks, logBlocks }: NodeOffer): number =>
  hasOldBlocks ? LONGEST_TICK_MS : Math.min(LONGEST_TICK_MS, logBlocks * blockMs)

/** The shortest tick, in whole seconds, whose cost fits; null: none. A longer one never costs more. */
export function shortestTick(
  network: NetworkToFollow,
  { node, fitsCost }: { node: NodeOffer; fitsCost: (cost: DailyCost) => boolean },
): number | null {
  const fits = (seconds: number) => fitsCost(rangesCost(network, { node, tickMs: seconds * 1_000 }))
  let low = Math.ceil(Math.max(LEAST_TICK_MS, network.blockMs) / 1_000)
  let high = Math.floor(longestTick(network, node) / 1_000)
  if (high < low || !fits(high)) return null
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) high = middle
    else low = middle + 1
  }
  return low * 1_000
}

function sumOf({ cost, rate }: NodeOffer, calls: Record<string, number>): DailyCost {
  const entries = Object.entries(calls).filter(([, count]) => count > 0)
  const sum = (of: (method: string) => number) =>
    entries.reduce((all, [method, count]) => all + count * of(method), 0)
  return {
    calls: Math.round(sum(() => 1)),
    units: Math.round(sum(cost)),
    unitsASecond: rate && sum((method) => passing(rate, method)) / (DAY_MS / 1_000),
  }
}

/** Units of a call in a second. */
function passing({ cost, burst }: PlanRate, method: string): number {
  const units = cost(method)
  return units > burst ? Infinity : units
}
