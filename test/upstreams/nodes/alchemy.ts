import { logRange, missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'
import { hex } from './rpc-shapes.ts'

/** Compute units by method: alchemy.com/docs/reference/compute-unit-costs. All others cost 20. */
const UNITS: Record<string, number> = {
  eth_chainId: 0,
  eth_blockNumber: 10,
  eth_call: 26,
  eth_getLogs: 60,
  alchemy_getAssetTransfers: 120,
}
const cost = (method: string) => UNITS[method] ?? 20
/** The month's 30 M stands in 10 public texts; the docs' repository still says 100 M. */
const MONTH_UNITS = 30_000_000

/** Row 15: the free plan of `https://{net}.g.alchemy.com/v2/{key}`. */
export const alchemy: Vendor = {
  name: 'alchemy',
  lag: 0,
  // docs: error-reference
  withoutKey: { status: 401, code: -32600, message: 'Must be authenticated!' },
  // docs: batch-requests
  batch: { row: 15, most: 1_000, refusal: { status: 400, code: -32600, message: 'Batch size too large' } },
  cost,
  // docs: eth_getBlockReceipts costs 20, but 500 of throughput.
  throughput: (method) => (method === 'eth_getBlockReceipts' ? 500 : cost(method)),
  quotas: [
    {
      row: 15,
      of: 'units',
      limit: { name: 'month', most: MONTH_UNITS, span: 'month' },
      refusal: { status: 403, code: -32600, message: 'Monthly capacity limit exceeded.' },
      refuses: 'whole',
    },
    {
      // 25 requests a second: 10 public texts, one of 2026-10-05. Taken as HTTP requests.
      row: 15,
      of: 'requests',
      limit: { name: 'requests', most: 25, span: 1_000 },
      refusal: { status: 429, code: 429, message: '25/second request limit reached' },
      refuses: 'whole',
    },
    {
      // docs: throughput. 500 units a second as a bucket of 5,000 in 10 s.
      row: 15,
      of: 'throughput',
      limit: { name: 'throughput', most: 5_000, span: 10_000 },
      refusal: {
        status: 429,
        code: 429,
        message:
          'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message. If not, check out https://docs.alchemy.com/reference/throughput',
      },
      refuses: 'call',
    },
  ],
  rules: [
    // docs: pricing-plans
    missing(15, {
      methods: /^(debug|trace)_/,
      refusal: (method) => ({
        status: 400,
        code: -32601,
        message: `Unsupported method: ${method}. See available methods at https://docs.alchemy.com/alchemy/documentation/apis`,
      }),
    }),
    // docs: eth-get-logs; 10 pass, 11 fail in 10 public texts.
    logRange(15, {
      most: 10,
      refusal: ({ from }) => ({
        status: 400,
        code: -32600,
        message: `Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [${hex(from)}, ${hex(from + 9)}]. Upgrade to PAYG for expanded block range.`,
      }),
    }),
  ],
}
