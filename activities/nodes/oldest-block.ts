import type { RpcCall } from './rpc.ts'

/** Position of the block in the parameters of a method. */
const BLOCK_PARAMETER: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  trace_block: 0,
  debug_traceBlockByNumber: 0,
  eth_getBalance: 1,
  eth_call: 1,
}

/** The oldest block that a call needs; null for a tag, a block's hash, or a method without a block. */
export function oldestBlock({ method, params }: RpcCall): number | null {
  const key =
    method === 'eth_getLogs'
      ? (params[0] as { fromBlock?: unknown } | undefined)?.fromBlock
      : params[BLOCK_PARAMETER[method] ?? -1]
  const isNumber = typeof key === 'string' && /^0x[0-9a-f]{1,13}$/i.test(key)
  return isNumber ? Number(key) : null
}

/** The number of the newest block, if that is what the call asked for. */
export function headIn({ method, params }: RpcCall, result: unknown): number | null {
  if (method === 'eth_blockNumber') return Number(result)
  if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return null
  const { number } = (result ?? {}) as { number?: string }
  return number === undefined ? null : Number(number)
}
