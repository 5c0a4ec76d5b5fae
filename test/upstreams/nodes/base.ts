import { logRange, missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

/**
 * Row 20: `https://mainnet.base.org`. A probe of August 2026: 100 blocks of logs pass, 101 are `Invalid params`.
 * In ponder's tests it takes 1,000 and says so. Receipts of a block: 403 (its docs).
 */
export function base(mode: '100 blocks' | '1000 blocks' = '100 blocks'): Vendor {
  const isNarrow = mode === '100 blocks'
  return {
    name: 'base',
    lag: 0,
    withoutKey: null,
    batch: null,
    cost: () => 1,
    quotas: [],
    rules: [
      missing(20, {
        methods: /^(eth_getBlockReceipts$|debug_|trace_)/,
        refusal: () => ({ status: 403, code: -32001, message: 'rpc method is not whitelisted' }),
      }),
      logRange(20, {
        most: isNarrow ? 100 : 1_000,
        refusal: () => ({
          status: 400,
          code: -32602,
          message: isNarrow ? 'Invalid params' : 'please limit the query to at most 1000 blocks',
        }),
      }),
    ],
  }
}
