import { logCount, logRange, missing } from './vendor.ts'
import type { Rule, Vendor } from './vendor.ts'

/** Both words are in use: `freetier` in older texts, `free plan` since August 2026. */
type Wording = 'freetier' | 'free plan'

const MINUTE_MS = 60_000
const THIRTY_DAYS_MS = 30 * 86_400_000

/** Answers take over 2 s above this number of blocks without an address (base.drpc.org, August 2026). */
const SLOW_BLOCKS = 1_000

/** Row 17: `https://{net}.drpc.org` without a key. drpc.org/docs/howitworks/ratelimiting */
export function drpc(wording: Wording = 'free plan', options: { logBlocks?: number } = {}): Vendor {
  const tier = wording === 'freetier' ? 'free tier' : 'free plan'
  // A probe of September 2026 found 120 blocks refused with the text that names 10,000.
  const { logBlocks = 10_000 } = options
  return {
    name: 'drpc',
    lag: 0,
    withoutKey: null,
    // 10 public texts; AmbireTech/ambire-common getRpcProvider.ts
    batch: {
      row: 17,
      most: 3,
      refusal: {
        status: 500,
        code: 31,
        message: `Batch of more than 3 requests are not allowed on ${tier}, to use this feature register paid account at drpc.org`,
      },
    },
    // docs: a call costs at least 10 units, most of them 20.
    cost: (method) => (method === 'eth_chainId' || method === 'eth_blockNumber' ? 10 : 20),
    quotas: [
      {
        row: 17,
        of: 'units',
        limit: { name: 'minute', most: 120_000, span: MINUTE_MS },
        refusal: {
          status: 429,
          code: 15,
          message: 'You reached Public endpoint rate limit, please upgrade to paid plan',
        },
        refuses: 'whole',
      },
      {
        row: 17,
        of: 'units',
        limit: { name: 'month', most: 210_000_000, span: THIRTY_DAYS_MS },
        refusal: {
          status: 429,
          code: 15,
          message: 'You reached the monthly limit of the free plan, please upgrade to paid plan',
        },
        refuses: 'whole',
      },
    ],
    rules: [
      missing(17, {
        methods: /^(debug|trace)_/,
        refusal: (method) => ({
          status: 400,
          code: 35,
          message: `the method ${method} is not available on ${wording}, please upgrade to paid plan`,
        }),
      }),
      logRange(17, {
        most: logBlocks,
        refusal: () => ({
          status: 400,
          code: 35,
          message: `ranges over 10000 blocks are not supported on ${wording}`,
        }),
      }),
      slowLogs(tier),
      // docs: 10,000 entries
      logCount(17, {
        most: 10_000,
        refusal: () => ({ status: 400, code: -32602, message: 'query returned more than 10000 results' }),
      }),
    ],
  }
}

/** 2 public texts: the tier's time-out is 2 s. */
function slowLogs(tier: string): Rule {
  return logRange(17, {
    most: SLOW_BLOCKS,
    refusal: () => ({
      status: 408,
      code: 30,
      message: `Request timeout on the ${tier}, please upgrade your tier to the paid one`,
    }),
  })
}
