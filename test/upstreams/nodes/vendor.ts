import type { Limit } from '../meter.ts'
import { blockAt, rangeOf } from './answer-call.ts'
import type { Call, LogFilter, View } from './answer-call.ts'
import type { Refusal } from './rpc-error.ts'

/** The plan of one vendor as data. Each rule has its row of section 11 of the list of facts. */
export interface Vendor {
  name: string
  /** What a request without a key, or with a revoked one, gets. null: no key is needed. */
  withoutKey: Refusal | null
  batch: { row: number; most: number; refusal: Refusal } | null
  /** the vendor's units of a call */
  cost: (method: string) => number
  /** the same for its throughput, where that differs */
  throughput?: (method: string) => number
  quotas: readonly Quota[]
  rules: readonly Rule[]
  /** blocks that its head is behind */
  lag: number
}

export interface Quota {
  row: number
  limit: Limit
  of: 'requests' | 'units' | 'throughput'
  refusal: Refusal
  /** whole: the request is refused with all its calls; call: each call over the limit. */
  refuses: 'whole' | 'call'
}

export interface Rule {
  row: number
  /** `answer` gives what a node without limits would answer. */
  refuse: (call: Call, view: View, answer: () => unknown) => Refusal | null
}

/** Refuses eth_getLogs over more than `most` blocks. */
export function logRange(
  row: number,
  options: { most: number; refusal: (range: { from: number; to: number }) => Refusal },
): Rule {
  return {
    row,
    refuse(call, { head }) {
      const filter = filterOf(call)
      if (!filter || filter.blockHash !== undefined) return null
      const range = rangeOf(filter, head)
      return range.to - range.from + 1 > options.most ? options.refusal(range) : null
    },
  }
}

/** Refuses methods that the plan does not have. */
export function missing(
  row: number,
  options: { methods: RegExp; refusal: (method: string) => Refusal },
): Rule {
  return { row, refuse: ({ method }) => (options.methods.test(method) ? options.refusal(method) : null) }
}

/** Refuses blocks, logs and states that more than `keeps` later blocks follow. */
export function archive(row: number, { keeps, refusal }: { keeps: number; refusal: Refusal }): Rule {
  return {
    row,
    refuse(call, view) {
      const number = oldestBlock(call, view)
      return number !== null && number < view.head - keeps ? refusal : null
    },
  }
}

/** Refuses eth_getLogs that end above the node's own head. */
export function beyondHead(row: number, refusal: Refusal): Rule {
  return {
    row,
    refuse(call, { head }) {
      const filter = filterOf(call)
      return filter && filter.blockHash === undefined && rangeOf(filter, head).to > head ? refusal : null
    },
  }
}

/** Refuses answers of eth_getLogs with more than `most` logs. */
export function logCount(
  row: number,
  options: { most: number; refusal: (range: { from: number; to: number }) => Refusal },
): Rule {
  return {
    row,
    refuse(call, { head }, answer) {
      const filter = filterOf(call)
      if (!filter || (answer() as unknown[]).length <= options.most) return null
      return options.refusal(rangeOf(filter, head))
    },
  }
}

function filterOf({ method, params }: Call): LogFilter | null {
  return method === 'eth_getLogs' ? (params[0] as LogFilter) : null
}

/** Transactions and receipts by hash come from an index and need no old block. */
const BLOCK_PARAMETER: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_getBlockByHash: 0,
  eth_getBlockReceipts: 0,
  trace_block: 0,
  eth_getBalance: 1,
  eth_call: 1,
}

function oldestBlock(call: Call, view: View): number | null {
  const filter = filterOf(call)
  if (filter && filter.blockHash === undefined) return rangeOf(filter, view.head).from
  const key = filter ? filter.blockHash : call.params[BLOCK_PARAMETER[call.method] ?? -1]
  return key === undefined ? null : (blockAt(view, key)?.number ?? null)
}
