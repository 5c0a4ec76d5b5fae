import { setTimeout as sleep } from 'node:timers/promises'
import { isSourceError, SourceUnavailable } from '../errors.ts'
import type { NodeBudgets } from '../ingest-config.ts'
import type { SourceOrders } from '../source-orders.ts'
import type { UsageCounts } from '../usage-counts.ts'
import { withBatch } from './rpc-client.ts'
import { hexOf, refusalOf } from './rpc.ts'
import type { NodeWork, RpcAnswer, RpcCall, RpcClient } from './rpc.ts'
import type { NodePlan } from './node-plans.ts'
import type { NodeNotes } from './node-notes.ts'
import { createNodeRates } from './node-rate.ts'
import type { RateOf } from './node-rate.ts'
import { createPoolNode, isRefusedByNode } from './pool-node.ts'
import type { PoolNode } from './pool-node.ts'

/** Several nodes of one network. Each piece of work is done by one of them. */
export interface NodePool {
  source: string
  /** A client whose requests go to the node in use, and to the next one where that fails or refuses. */
  client: (share: NodeWork) => RpcClient
  /**
   * One node for work that must not mix nodes, such as a batch of blocks. `prefer`: the one with this name, if it
   * is well; `other`: another one than that, if there is one; `block`: the oldest that the work needs. Throws
   * SourceUnavailable, or the refusal of that block if all nodes lack it.
   */
  choose: (work: {
    share: NodeWork
    methods?: readonly string[]
    prefer?: string | null
    other?: string
    block?: number | null
  }) => ChosenNode
  /** The nodes that can be asked for this work, in order of preference. */
  usable: (share: NodeWork) => UsableNode[]
  /** Why nodes offer this work less now than on other days; null: none does. */
  shortage: (share: NodeWork) => string | null
  /** Asks all nodes for their heads, and passes over those that lag. */
  checkHeads: () => Promise<void>
}

export interface UsableNode {
  /** host, without the key */
  name: string
  plan: NodePlan
  client: RpcClient
  /** units a day that this work may plan with from now on; null: no allowance is known */
  unitsADay: number | null
}

export interface ChosenNode extends UsableNode {
  ask: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** A node in use stays this long, also where one that comes first is well again. */
const STICKY_MS = 5 * 60_000
const LARGEST_LAG = 3
const LAG_PAUSE_MS = 60_000
const HEADS_EVERY_MS = 60_000
const ANY_LOGS: RpcCall = { method: 'eth_getLogs', params: [{}] }

export function createNodePool(options: {
  networkId: string
  chainId: number
  /** in order of preference */
  urls: readonly string[]
  /** by host */
  budgets?: NodeBudgets
  /** what the accounts of nodes have spent, also for other networks and by other workers */
  usage: UsageCounts
  /** how fast the accounts of nodes may be asked, shared with the pools of other networks */
  rateOf?: RateOf
  /** what operators ordered of nodes */
  orders?: SourceOrders
  /** told how each node answers */
  notes?: NodeNotes
  now?: () => Date
  /** waits before calls are sent again */
  pause?: (ms: number) => Promise<void>
  /** called before each wait */
  heartbeat?: () => void
}): NodePool {
  const { networkId, chainId, usage, orders, budgets = new Map() } = options
  const { now = () => new Date(), heartbeat = () => {} } = options
  const pause = async (ms: number) => {
    heartbeat()
    await (options.pause ?? sleep)(ms)
  }
  const source = `rpc:${networkId}`
  const { rateOf = createNodeRates(now), notes = { note: () => {} } } = options
  const nodes = options.urls.map((url) =>
    createPoolNode({ url, source, networkId, chainId, budgets, usage, orders, rateOf, now, pause, notes }),
  )
  const start = { node: nodes[0]!, sinceMs: now().getTime() }
  /** By work: history that has spent its share of a node does not move the head to another one. */
  const inUse: Record<NodeWork, { node: PoolNode; sinceMs: number }> = {
    heads: start,
    wallets: start,
    history: start,
  }
  let headsAt = now().getTime()

  const isOut = (node: PoolNode, share: NodeWork) => node.off() !== null || node.budget.isSpent(share)

  /** Nodes in the order in which they are asked: the one in use, then the others as configured. */
  function order(share: NodeWork): PoolNode[] {
    const usable = nodes.filter((node) => !isOut(node, share))
    const well = usable.filter((node) => !node.isPassedOver())
    const { node: current, sinceMs } = inUse[share]
    const isOver = now().getTime() - sinceMs >= STICKY_MS
    const wanted = well.includes(current) && !isOver ? current : (well[0] ?? usable[0])
    if (wanted) use(share, wanted)
    return [...new Set([...(wanted ? [wanted] : []), ...well, ...usable])]
  }

  function use(share: NodeWork, node: PoolNode): void {
    if (node !== inUse[share].node) inUse[share] = { node, sinceMs: now().getTime() }
  }

  async function send(share: NodeWork, calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    if (nodes.length > 1 && now().getTime() - headsAt >= HEADS_EVERY_MS) void checkHeads()
    let answers: RpcAnswer[] | null = null
    let failure: Error | null = null
    let lacking: Error | null = null
    for (const node of order(share)) {
      const lack = node.lacks(calls)
      lacking ??= lack
      if (lack) continue
      try {
        answers = await node.send(share, calls)
        if (answers.some(isRefusedByNode)) continue
        // What only this one node has, such as old blocks, is no reason to leave the one in use.
        const { node: current } = inUse[share]
        if (current.isPassedOver() || current.off()) use(share, node)
        return answers
      } catch (error) {
        if (!isSourceError(error)) throw error
        failure = error
      }
    }
    if (failure instanceof SourceUnavailable) throw failure
    const refused: RpcAnswer[] | null = answers ?? answersOf(calls, lacking)
    // A node that cannot be asked now may have the old blocks that the others lack.
    const isLater = refused?.some(lacksBlocks) && nodes.some((node) => isOut(node, share))
    if (refused && !isLater) return refused
    throw failure ?? noNode(share)
  }

  /** Why nodes offer less now. */
  function reasonsOf(some: readonly PoolNode[], share: NodeWork): string {
    const reasons = some.map((node) => {
      const left = node.budget.isSpent(share) ? 'is spent' : 'is nearly spent'
      return `${node.name}: ${node.off()?.reason ?? `its share for ${share} ${left} until 00:00 UTC`}`
    })
    return reasons.join('; ')
  }

  function noNode(share: NodeWork): SourceUnavailable {
    const out = nodes.filter((node) => isOut(node, share))
    const waits = nodes.flatMap((node) => node.off()?.untilMs ?? [])
    const waitMs = waits.length === nodes.length ? Math.min(...waits) - now().getTime() : null
    return new SourceUnavailable(source, `no node can answer: ${reasonsOf(out, share)}`, waitMs)
  }

  function usableOf({ name, plan, accepts, budget, send: sendBy }: PoolNode, share: NodeWork): UsableNode {
    const client = {
      ...withBatch({ source, send: (some) => sendBy(share, some) }),
      logRange: accepts.logRange,
      get batchCalls() {
        return accepts.batchCalls
      },
      get isOnPace() {
        return budget.isOnPace(share)
      },
    }
    return { name, plan, client, unitsADay: budget.plannable(share) }
  }

  async function checkHeads(): Promise<void> {
    headsAt = now().getTime()
    const asked = nodes.filter((node) => !node.off())
    const call = { method: 'eth_blockNumber', params: [] }
    await Promise.allSettled(asked.map((node) => node.send('heads', [call])))
    const highest = Math.max(...asked.map((node) => node.head() ?? 0))
    for (const node of asked)
      if (highest - (node.head() ?? highest) >= LARGEST_LAG) node.passOver(LAG_PAUSE_MS)
  }

  return {
    source,
    client: (share) => ({
      ...withBatch({ source, send: (calls) => send(share, calls) }),
      get logRange() {
        const asked = order(share).find((node) => !node.lacks([ANY_LOGS])) ?? inUse[share].node
        return asked.accepts.logRange
      },
      get batchCalls() {
        return inUse[share].node.accepts.batchCalls
      },
      get isOnPace() {
        return nodes.some((node) => !isOut(node, share) && node.budget.isOnPace(share))
      },
    }),
    choose({ share, methods = [], prefer, other, block = null }) {
      const calls = methods.map((method): RpcCall => ({ method, params: [] }))
      const oldest: RpcCall[] =
        block === null ? [] : [{ method: 'eth_getBlockByNumber', params: [hexOf(block), false] }]
      const fit = order(share).filter((one) => !one.lacks(calls))
      const able = fit.filter((one) => !one.lacks(oldest))
      const preferred = able.find((one) => one.name === prefer && !one.isPassedOver())
      const node = preferred ?? able.find(({ name }) => name !== other) ?? able[0]
      const isLater = nodes.some((one) => isOut(one, share))
      if (!node) throw (isLater ? null : fit[0]?.lacks(oldest)) ?? noNode(share)
      const chosen = usableOf(node, share)
      return { ...chosen, ask: (method, params) => chosen.client.call(method, ...params) }
    },
    usable: (share) => nodes.filter((node) => !isOut(node, share)).map((node) => usableOf(node, share)),
    shortage(share) {
      const short = nodes.filter((node) => isOut(node, share) || node.budget.isShort(share))
      return short.length > 0 ? reasonsOf(short, share) : null
    },
    checkHeads,
  }
}

const answersOf = (calls: readonly RpcCall[], error: Error | null): RpcAnswer[] | null =>
  error && calls.map(() => ({ error }))

const lacksBlocks = (answer: RpcAnswer): boolean =>
  'error' in answer && refusalOf(answer.error)?.kind === 'archive'
