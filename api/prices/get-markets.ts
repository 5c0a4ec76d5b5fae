import { z } from 'zod'
import { readMarketTotals } from '../../db/prices/read-markets.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'

const change = 'against 24 hours before, 0 when that is unknown'

export const getMarkets = defineRoute({
  method: 'GET',
  path: '/markets',
  tag: 'Markets',
  summary: 'Totals of the whole market',
  response: z.object({
    marketCap: z.number().describe('USD'),
    volume: z.number().describe('USD, 24 hours'),
    btcDominance: z.number().describe('Percent of the market capitalisation'),
    marketCapChange: z.number().describe(`Percent ${change}`),
    volumeChange: z.number().describe(`Percent ${change}`),
    btcDominanceChange: z.number().describe(`Percentage points ${change}`),
  }),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  async handler(_input, { db }) {
    const totals = await readMarketTotals(db)
    if (!totals) throw unavailable()
    return {
      body: {
        marketCap: toNumber(totals.market_cap_usd),
        volume: toNumber(totals.volume_24h_usd),
        btcDominance: toNumber(totals.btc_dominance),
        marketCapChange: toNumber(totals.market_cap_change ?? '0'),
        volumeChange: toNumber(totals.volume_change ?? '0'),
        btcDominanceChange: toNumber(totals.btc_dominance_change ?? '0'),
      },
      asOf: totals.at,
    }
  },
})
