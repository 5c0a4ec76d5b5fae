import { logRange, missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

/**
 * Row 16: the free trial. quicknode.com/docs/*\/eth_getLogs: 5 blocks; the text stands in 10 public sources.
 * Its allowance, batches and traces are not confirmed, so traces are refused and nothing else is counted.
 */
export const quicknode: Vendor = {
  name: 'quicknode',
  lag: 0,
  withoutKey: { status: 401, code: -32000, message: 'endpoint not found' },
  batch: null,
  cost: () => 20,
  quotas: [],
  rules: [
    missing(16, {
      methods: /^(debug|trace)_/,
      refusal: (method) => ({
        status: 403,
        code: -32601,
        message: `the method ${method} is not available on your plan`,
      }),
    }),
    logRange(16, {
      most: 5,
      refusal: () => ({
        status: 413,
        code: -32615,
        message:
          'eth_getLogs is limited to a 5 range, upgrade from discover plan at https://dashboard.quicknode.com/billing/plan to increase the limit',
      }),
    }),
  ],
}
