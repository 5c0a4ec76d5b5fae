import { missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

/** Row 21: the dataseeds of BNB Smart Chain have no eth_getLogs (llamanodes/web3-proxy#231, docs.bnbchain.org). */
export const bsc: Vendor = {
  name: 'bsc',
  lag: 0,
  withoutKey: null,
  batch: null,
  cost: () => 1,
  quotas: [],
  rules: [
    missing(21, {
      methods: /^eth_getLogs$/,
      refusal: () => ({ code: -32005, message: 'limit exceeded' }),
    }),
    missing(21, {
      methods: /^(debug|trace)_/,
      refusal: (method) => ({
        code: -32601,
        message: `the method ${method} does not exist/is not available`,
      }),
    }),
  ],
}
