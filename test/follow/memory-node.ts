import type { Allowance } from '../../activities/allowance.ts'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createLogRange } from '../../activities/nodes/rpc-limits.ts'
import { withBatch } from '../../activities/nodes/rpc-client.ts'
import type { RpcCall } from '../../activities/nodes/rpc.ts'
import { serveJsonRpc } from '../setup/replay-rpc.ts'
import { answerCall } from '../upstreams/nodes/answer-call.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { RpcError } from '../upstreams/nodes/rpc-error.ts'

/** Methods of free plans. */
const METHODS = [
  'eth_chainId',
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getLogs',
  'eth_getBalance',
  'eth_call',
  'trace_block',
]

/** A node of a chain in memory, whose chain can be switched: a reorg for its clients. */
export function memoryNode(first: MemoryChain, name = 'memory') {
  const node = {
    chain: first,
    /** how many of the newest blocks it does not have yet */
    behind: 0,
    /** methods that it does not have */
    lacks: [] as readonly string[],
    plan: {
      account: 'memory',
      unit: 'calls',
      cost: () => 1,
      allowance: null as Allowance | null,
      rate: null,
    },
    /** free plans have none */
    hasTraces: false,
    asked: [] as string[],
    /** Gets each answer of `ask` before it is given, and may give another one. */
    distort: (_method: string, answer: unknown): unknown => answer,
    ask: async (method: string, params: readonly unknown[]): Promise<unknown> => {
      node.asked.push(method)
      return node.distort(method, structuredClone(answer(method, params)))
    },
  }

  function answer(method: string, params: readonly unknown[]): unknown {
    const { chain, behind } = node
    try {
      if (!METHODS.includes(method) || (method === 'trace_block' && !node.hasTraces))
        throw new RpcError({ code: -32601, message: `${method} is not available` })
      return answerCall({ chain, head: chain.head() - behind }, { method, params })
    } catch (error) {
      throw error instanceof RpcError ? new SourceRejected('rpc:ethereum', error.message) : error
    }
  }

  const source = 'rpc:ethereum'
  const send = (calls: readonly RpcCall[]) =>
    Promise.all(
      calls.map(async ({ method, params }) => {
        try {
          return { result: await node.ask(method, params) }
        } catch (error) {
          return { error: error as Error }
        }
      }),
    )
  const client = {
    ...withBatch({ source, send }),
    logRange: createLogRange(),
    batchCalls: 100,
    isOnPace: true,
  }

  const usable = () => [{ name, plan: node.plan, client, unitsADay: null }]

  /** As a pool of this node alone chooses. */
  function chooseNode({ methods }: { methods: readonly string[] }) {
    if (methods.some((method) => node.lacks.includes(method)))
      throw new SourceUnavailable(source, 'no node can answer: ')
    return { name, plan: node.plan, client, unitsADay: null, ask: node.ask }
  }

  /** The same node for programs that take an address. */
  async function serve(): Promise<{ url: string; stop: () => Promise<void> }> {
    return await serveJsonRpc(
      Object.fromEntries(METHODS.map((method) => [method, (params: unknown[]) => answer(method, params)])),
    )
  }

  return Object.assign(node, { serve, chooseNode, usable })
}

export type MemoryNode = ReturnType<typeof memoryNode>
