import { logRange, missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

const NO_KEY =
  'Unauthorized: You must authenticate your request with an API key. Create an account on https://www.ankr.com/rpc/ and generate your personal API key for free.'

/** Row 21: Ankr needs a key since March 2025 (BitteProtocol/near-ca#173, tahowallet/extension#3808). */
export const ankr: Vendor = {
  name: 'ankr',
  lag: 0,
  withoutKey: { status: 403, code: -32000, message: NO_KEY },
  batch: null,
  cost: () => 1,
  quotas: [
    {
      // one public text: 30 a second
      row: 21,
      of: 'requests',
      limit: { name: 'second', most: 30, span: 1_000 },
      refusal: { status: 429, code: -32005, message: 'rate limit exceeded' },
      refuses: 'whole',
    },
  ],
  rules: [
    missing(21, {
      methods: /^(debug|trace)_/,
      refusal: (method) => ({ status: 403, code: -32601, message: `Unsupported method: ${method}` }),
    }),
    // ponder: getLogsRetryHelper.ts
    logRange(21, {
      most: 3_000,
      refusal: () => ({ status: 400, code: -32600, message: 'block range is too wide' }),
    }),
  ],
}
