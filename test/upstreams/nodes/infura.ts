import { hex } from './rpc-shapes.ts'
import { logCount, logRange, missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

/**
 * Credits by method: docs.metamask.io/services/get-started/pricing/credit-cost. Methods that are not in its
 * table cost 80. The figures of receipts and logs are not confirmed.
 */
const CREDITS: Record<string, number> = {
  eth_chainId: 5,
  eth_getLogs: 255,
  eth_getBlockReceipts: 1_000,
}
const cost = (method: string) => CREDITS[method] ?? 80

/** Row 19: the free plan of Infura, 3,000,000 credits a day and 500 a second. */
export const infura: Vendor = {
  name: 'infura',
  lag: 0,
  withoutKey: { status: 401, code: -32002, message: 'invalid project id' },
  batch: null,
  cost,
  // A burst of two seconds: otherwise no receipts could be asked for at all.
  quotas: [
    {
      row: 19,
      of: 'units',
      limit: { name: 'day', most: 3_000_000, span: 'day' },
      // docs: avoid-rate-limiting
      refusal: {
        status: 402,
        code: 402,
        message: 'Payment Required',
        body: '{"error":{"code":402,"event":-33000,"message":"Payment Required"}}',
      },
      refuses: 'whole',
    },
    {
      row: 19,
      of: 'throughput',
      limit: { name: 'second', most: 1_000, span: 2_000 },
      refusal: { status: 429, code: -32005, message: 'Too Many Requests' },
      refuses: 'call',
    },
  ],
  rules: [
    missing(19, {
      methods: /^(debug|trace)_/,
      refusal: (method) => ({
        status: 405,
        code: -32601,
        message: `The method ${method} does not exist/is not available`,
      }),
    }),
    // INFURA/infura#237, August 2026
    logRange(19, {
      most: 10_000,
      refusal: ({ from, to }) => ({
        code: -32602,
        message: `range ${to - from + 1} exceeds limit of 10000`,
      }),
    }),
    // docs: at most 10,000 results
    logCount(19, {
      most: 10_000,
      refusal: ({ from, to }) => ({
        code: -32005,
        message: `query returned more than 10000 results. Try with this block range [${hex(from)}, ${hex(from + Math.floor((to - from) / 2))}].`,
      }),
    }),
  ],
}
