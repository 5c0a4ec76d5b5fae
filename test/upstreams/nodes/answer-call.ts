import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionResult,
  getAbiItem,
  multicall3Abi,
  toFunctionSelector,
} from 'viem'
import { RpcError } from './rpc-error.ts'
import type { MemoryBlock, MemoryChain } from './chain.ts'
import { blockShape, hex, logShape, receiptShape, traceShapes, transactionShape } from './rpc-shapes.ts'

export interface Call {
  method: string
  params: readonly unknown[]
}

/** What one node has of a chain: its head may be behind. */
export interface View {
  chain: MemoryChain
  head: number
}

export interface LogFilter {
  fromBlock?: string
  toBlock?: string
  blockHash?: string
  address?: string | readonly string[]
  topics?: readonly (string | readonly string[] | null)[]
}

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

/** Answers as a node without limits does. Throws RpcError. */
export function answerCall(view: View, { method, params }: Call): unknown {
  const { chain, head } = view
  switch (method) {
    case 'eth_chainId':
      return hex(chain.chainId)
    case 'eth_blockNumber':
      return hex(head)
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const block = blockAt(view, params[0])
      return block && blockShape(block, params[1] === true)
    }
    case 'eth_getBlockReceipts': {
      const block = blockAt(view, params[0])
      return block && block.transactions.map((one) => receiptShape(block, one))
    }
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt': {
      const found = chain.find(String(params[0]))
      if (!found || found.block.number > head) return null
      const shape = method === 'eth_getTransactionByHash' ? transactionShape : receiptShape
      return shape(found.block, found.transaction)
    }
    case 'eth_getLogs':
      return logsOf(view, params[0] as LogFilter)
    case 'eth_getBalance':
      return hex(chain.nativeBalance(String(params[0]).toLowerCase(), stateAt(view, params[1])))
    case 'eth_call': {
      const { to, data } = params[0] as { to: string; data: string }
      return contractCall(chain, { to: to.toLowerCase(), data }, stateAt(view, params[1]))
    }
    case 'trace_block': {
      const block = blockAt(view, params[0])
      return block && traceShapes(block)
    }
    default:
      throw new RpcError({ code: -32601, message: `the method ${method} does not exist/is not available` })
  }
}

/** A block by number, tag or hash; null for one that the node does not have. */
export function blockAt({ chain, head }: View, key: unknown): MemoryBlock | null {
  const block = chain.block(blockKey(key, head))
  return block && block.number <= head ? block : null
}

/** Blocks by `finalized` and `safe` are those that 64 and 32 later ones follow. */
export function blockKey(key: unknown, head: number): number | string {
  if (typeof key === 'object' && key !== null) {
    const { blockHash, blockNumber } = key as { blockHash?: string; blockNumber?: string }
    return blockHash ?? Number(blockNumber)
  }
  const text = typeof key === 'string' ? key : 'latest'
  if (text === 'latest' || text === 'pending') return head
  if (text === 'finalized') return Math.max(0, head - 64)
  if (text === 'safe') return Math.max(0, head - 32)
  if (text === 'earliest') return 0
  return text.length === 66 ? text : Number(text)
}

function stateAt(view: View, key: unknown): number {
  const block = blockAt(view, key)
  if (!block) throw new RpcError({ code: -32000, message: 'header not found' })
  return block.number
}

export function rangeOf(filter: LogFilter, head: number): { from: number; to: number } {
  const [from, to] = [filter.fromBlock, filter.toBlock].map((key) => Number(blockKey(key, head)))
  return { from: from!, to: to! }
}

function logsOf(view: View, filter: LogFilter): unknown[] {
  const blocks: MemoryBlock[] = []
  if (filter.blockHash !== undefined) {
    const block = blockAt(view, filter.blockHash)
    if (!block) throw new RpcError({ code: -32000, message: 'unknown block' })
    blocks.push(block)
  } else {
    const { from, to } = rangeOf(filter, view.head)
    for (let number = from; number <= Math.min(to, view.head); number++)
      blocks.push(view.chain.block(number)!)
  }
  const addresses = filter.address === undefined ? null : [filter.address].flat()
  return blocks.flatMap((block) =>
    block.transactions.flatMap((one) =>
      one.logs
        .filter((log) => addresses === null || addresses.includes(log.address))
        .filter((log) => matchesTopics(log.topics, filter.topics ?? []))
        .map((log) => logShape(block, one, log)),
    ),
  )
}

function matchesTopics(topics: readonly string[], wanted: NonNullable<LogFilter['topics']>): boolean {
  return wanted.every(
    (one, i) => one === null || (topics[i] !== undefined && [one].flat().includes(topics[i])),
  )
}

/** Contracts of tokens, whose symbol is made of their address, and Multicall3. */
function contractCall(chain: MemoryChain, call: { to: string; data: string }, number: number): string {
  const { to, data } = call
  if (to === MULTICALL) return multicall(chain, data, number)
  switch (data.slice(0, 10)) {
    case '0x70a08231': {
      const owner = `0x${data.slice(34, 74).toLowerCase()}`
      return `0x${chain.tokenBalance({ token: to, owner }, number).toString(16).padStart(64, '0')}`
    }
    case '0x95d89b41':
      return encodeAbiParameters([{ type: 'string' }], [`T${to.slice(2, 6)}`])
    case '0x06fdde03':
      return encodeAbiParameters([{ type: 'string' }], [`Token ${to.slice(2, 6)}`])
    case '0x313ce567':
      return encodeAbiParameters([{ type: 'uint256' }], [18n])
    default:
      throw new RpcError({ code: 3, message: 'execution reverted' })
  }
}

// Known here, because viem hashes the signatures again for each call.
const BALANCE = getAbiItem({ abi: multicall3Abi, name: 'getEthBalance' })
const AGGREGATE = getAbiItem({ abi: multicall3Abi, name: 'aggregate3' })
const [BALANCE_SELECTOR, AGGREGATE_SELECTOR] = [BALANCE, AGGREGATE].map(toFunctionSelector)

function multicall(chain: MemoryChain, data: string, number: number): string {
  const args = `0x${data.slice(10)}` as const
  if (data.startsWith(BALANCE_SELECTOR!)) {
    const [address] = decodeAbiParameters(BALANCE.inputs, args)
    const balance = chain.nativeBalance(address.toLowerCase(), number)
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'getEthBalance', result: balance })
  }
  if (!data.startsWith(AGGREGATE_SELECTOR!)) throw new RpcError({ code: 3, message: 'execution reverted' })
  const [calls] = decodeAbiParameters(AGGREGATE.inputs, args)
  const result = calls.map(({ target, callData }) => {
    try {
      const returned = contractCall(chain, { to: target.toLowerCase(), data: callData }, number)
      return { success: true, returnData: returned as `0x${string}` }
    } catch {
      return { success: false, returnData: '0x' as const }
    }
  })
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}
