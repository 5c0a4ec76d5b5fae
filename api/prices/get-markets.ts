import { z } from 'zod'
import { readMarketTotals } from '../../db/prices/read-markets.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'

const change = 'over 24 hours; 0 when unknown'

export const getMarkets = defineRoute({
  method: 'GET',
  path: '/markets',
  tag: 'Markets',
  summary: 'Totals of the crypto market',
  response: z.object({
    marketCap: z.number().describe('Market capitalisation, USD'),
    volume: z.number().describe('Volume over 24 hours, USD'),
    btcDominance: z.number().describe('Share of Bitcoin in the market capitalisation, percent'),
    marketCapChange: z.number().describe(`Change in percent ${change}`),
    volumeChange: z.number().describe(`Change in percent ${change}`),
    btcDominanceChange: z.number().describe(`Change in percentage points ${change}`),
  }),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['market_totals'] },
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
