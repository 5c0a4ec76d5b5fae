import type { Call } from './answer-call.ts'
import { missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

/** Row 22: a node of no vendor. `without`: methods that it does not have. */
export function anyNode(options: { without?: RegExp } = {}): Vendor {
  const { without } = options
  return {
    name: 'any',
    lag: 0,
    withoutKey: null,
    batch: null,
    cost: () => 1,
    quotas: [],
    rules: without
      ? [
          missing(22, {
            methods: without,
            refusal: (method) => ({
              code: -32601,
              message: `the method ${method} does not exist/is not available`,
            }),
          }),
        ]
      : [],
  }
}

/** Row 22: the newest block is announced but not yet there. For `NodeState.distort`. */
export function nullHead(head: () => number) {
  return ({ method, params }: Call, answer: unknown): unknown =>
    method.startsWith('eth_getBlock') && [head(), 'latest'].includes(numberOrTag(params[0])) ? null : answer
}

/** Row 22: the newest block has no logs yet (ethereum/go-ethereum#26098). For `NodeState.distort`. */
export function noLogsAtHead(head: () => number) {
  return ({ method }: Call, answer: unknown): unknown =>
    method === 'eth_getLogs'
      ? (answer as { blockNumber: string }[]).filter((log) => Number(log.blockNumber) < head())
      : answer
}

function numberOrTag(key: unknown): number | string {
  return typeof key === 'string' && key.startsWith('0x') ? Number(key) : String(key)
}
