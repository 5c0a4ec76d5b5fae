import { isSourceError } from '../errors.ts'
import type { RpcClient } from './rpc.ts'
import { hexOf, refusalOf } from './rpc.ts'

/** What a node's plan offers. */
export interface NodeAbilities {
  chainId: number
  head: number
  /** How the receipts of a block can be asked for; null: not at all. */
  receipts: 'hash' | 'number' | null
  /** Blocks in one range of logs that passed; 0: none. */
  logBlocks: number
  /** Calls in one batch that passed. */
  batchCalls: number
  traces: 'trace_block' | 'debug_traceBlockByNumber' | null
  /** Whether it gives the blocks of a year ago, or of the chain's begin. */
  hasOldBlocks: boolean
}

const BATCH = 20
const LOG_BLOCKS = 10_000
const OLD_BLOCKS = 2_000_000
/** A topic that no event has, so that answers are empty. */
const NO_TOPIC = `0x${'5c'.repeat(32)}`

/** Asks a node for one of each kind, about ten calls. Throws where the node does not answer at all. */
export async function probeNode(client: RpcClient): Promise<NodeAbilities> {
  const chainId = Number(await client.call('eth_chainId'))
  const latest = (await client.call('eth_getBlockByNumber', 'latest', false)) as BlockName
  const head = Number(latest.number)
  await client.send(Array.from({ length: BATCH }, () => ({ method: 'eth_chainId', params: [] })))
  const asks = (method: string, ...params: unknown[]) => passes(client, method, params)
  const receipts = async () => {
    if (await asks('eth_getBlockReceipts', latest.hash)) return 'hash'
    return (await asks('eth_getBlockReceipts', latest.number)) ? 'number' : null
  }
  const traces = async () => {
    if (await asks('trace_block', latest.number)) return 'trace_block'
    const byGeth = await asks('debug_traceBlockByNumber', latest.number, { tracer: 'callTracer' })
    return byGeth ? 'debug_traceBlockByNumber' : null
  }
  const old = hexOf(Math.max(0, head - OLD_BLOCKS))
  return {
    chainId,
    head,
    receipts: await receipts(),
    logBlocks: await probeLogs(client, head),
    batchCalls: client.batchCalls,
    traces: await traces(),
    hasOldBlocks: await asks('eth_getBlockByNumber', old, false),
  }
}

interface BlockName {
  number: string
  hash: string
}

/** false: the node refuses, or has nothing. */
async function passes(client: RpcClient, method: string, params: readonly unknown[]): Promise<boolean> {
  try {
    return (await client.call(method, ...params)) !== null
  } catch (error) {
    if (isSourceError(error)) return false
    throw error
  }
}

/** Halves the range, or takes what the node names, until one passes. */
async function probeLogs(client: RpcClient, head: number): Promise<number> {
  const { logRange } = client
  for (let asked = Math.min(LOG_BLOCKS, head + 1); asked > 0;) {
    const range = { fromBlock: hexOf(head - asked + 1), toBlock: hexOf(head), topics: [NO_TOPIC] }
    try {
      await client.call('eth_getLogs', range)
      logRange.accepted(asked)
      return asked
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || !['range', 'result', 'slow', 'archive'].includes(refusal.kind)) return 0
      if (refusal.kind !== 'archive') logRange.refused(asked, refusal)
      asked = refusal.kind === 'archive' ? Math.floor(asked / 2) : Math.min(asked - 1, logRange.blocks())
    }
  }
  return 0
}
