import { archive, beyondHead, logRange, missing } from './vendor.ts'
import type { Vendor } from './vendor.ts'

const ARCHIVE = 'Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode'

/** Row 18: `https://{chain}-rpc.publicnode.com`. Texts: 10 public sources each; ponder's publicnode.test.ts. */
export const publicnode: Vendor = {
  name: 'publicnode',
  // Its nodes are not equally far.
  lag: 2,
  withoutKey: null,
  batch: null,
  cost: () => 1,
  quotas: [],
  rules: [
    missing(18, {
      methods: /^(debug|trace)_/,
      refusal: (method) => ({
        status: 403,
        code: -32601,
        message: `the method ${method} does not exist/is not available`,
      }),
    }),
    logRange(18, {
      most: 50_000,
      refusal: () => ({ status: 400, code: -32701, message: 'exceed maximum block range: 50000' }),
    }),
    beyondHead(18, {
      status: 400,
      code: -32602,
      message: 'block range extends beyond current head block',
    }),
    archive(18, {
      keeps: 128,
      refusal: {
        status: 403,
        code: -32602,
        message: ARCHIVE,
        body: JSON.stringify({ error: { code: -32602, message: ARCHIVE } }),
      },
    }),
  ],
}
