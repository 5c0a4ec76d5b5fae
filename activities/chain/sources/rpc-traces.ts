import { SourceRejected } from '../../errors.ts'
import type { InternalTransfer } from '../chain-data.ts'
import { hexOf } from '../../nodes/rpc.ts'
import type { RpcClient } from '../../nodes/rpc.ts'

interface ParityTrace {
  type: string
  transactionHash?: string | null
  traceAddress: number[]
  error?: string
  action: {
    from?: string
    to?: string
    value?: string
    callType?: string
    address?: string
    refundAddress?: string
    balance?: string
  }
  result?: { address?: string } | null
}

interface GethFrame {
  type: string
  from: string
  to?: string
  value?: string
  error?: string
  calls?: GethFrame[]
}

export type TraceReader = (blockNumbers: readonly number[]) => Promise<InternalTransfer[] | null>

/**
 * Reads the value that contracts sent inside the transactions of blocks, by `trace_block` (Erigon,
 * Nethermind, Reth, anvil), else by `debug_traceBlockByNumber` (geth). null once the node has refused both:
 * most providers' plans include neither.
 */
export function createTraceReader(rpc: RpcClient): TraceReader {
  let methods: ('trace_block' | 'debug_traceBlockByNumber')[] = ['trace_block', 'debug_traceBlockByNumber']
  return async (blockNumbers) => {
    while (methods.length > 0) {
      const method = methods[0]!
      const calls = blockNumbers.map((number) => ({
        method,
        params: method === 'trace_block' ? [hexOf(number)] : [hexOf(number), { tracer: 'callTracer' }],
      }))
      try {
        const answers = await rpc.batch(calls)
        return method === 'trace_block'
          ? (answers as (ParityTrace[] | null)[]).flatMap((traces) => ofParity(traces ?? []))
          : (answers as { txHash: string; result: GethFrame }[][]).flatMap((traces) =>
              traces.flatMap(({ txHash, result }) => ofGeth(txHash, result)),
            )
      } catch (error) {
        if (!(error instanceof SourceRejected)) throw error
        methods = methods.filter((other) => other !== method)
      }
    }
    return null
  }
}

function ofParity(traces: ParityTrace[]): InternalTransfer[] {
  const byTransaction = Map.groupBy(
    traces.filter((trace) => typeof trace.transactionHash === 'string'),
    (trace) => trace.transactionHash!,
  )
  const rows: InternalTransfer[] = []
  for (const [txHash, all] of byTransaction) {
    const failed = all.filter((trace) => trace.error !== undefined).map((trace) => trace.traceAddress)
    for (const trace of all) {
      const { traceAddress, action } = trace
      // The top call is the transaction itself; a failed call reverts all calls below it.
      if (traceAddress.length === 0 || failed.some((prefix) => startsWith(traceAddress, prefix))) continue
      const row = parityValue(trace, action)
      if (row && row.value > 0n) rows.push({ txHash, ...row })
    }
  }
  return rows
}

function parityValue(
  trace: ParityTrace,
  action: ParityTrace['action'],
): Omit<InternalTransfer, 'txHash'> | null {
  if (trace.type === 'suicide' || trace.type === 'selfdestruct') {
    if (!action.address || !action.refundAddress) return null
    return row(action.address, action.refundAddress, action.balance)
  }
  if (trace.type === 'call' && action.callType !== 'call') return null
  const to = trace.type === 'create' ? trace.result?.address : action.to
  return action.from && to ? row(action.from, to, action.value) : null
}

function ofGeth(txHash: string, top: GethFrame): InternalTransfer[] {
  if (top.error !== undefined) return []
  return (top.calls ?? []).flatMap((frame) => {
    if (frame.error !== undefined) return []
    const moves = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(frame.type) && frame.to
    const own = moves ? row(frame.from, frame.to!, frame.value) : null
    return [...(own && own.value > 0n ? [{ txHash, ...own }] : []), ...ofGeth(txHash, frame)]
  })
}

function row(from: string, to: string, value: string | undefined): Omit<InternalTransfer, 'txHash'> {
  return { from: from.toLowerCase(), to: to.toLowerCase(), value: BigInt(value ?? 0) }
}

function startsWith(address: number[], prefix: number[]): boolean {
  return prefix.every((step, i) => address[i] === step)
}
