import { z } from 'zod'
import { readMarketTotals } from '../../db/prices/read-markets.ts'
import { decimal, formatDecimal, subtract } from '../../db/values/decimal.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { ratio, toNumber } from '../shapes.ts'

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
  async handler(_input, { db }) {
    const totals = await readMarketTotals(db)
    if (!totals) throw unavailable()
    const { newest, dayBefore } = totals
    const before = dayBefore ?? newest
    return {
      body: {
        marketCap: toNumber(newest.market_cap_usd),
        volume: toNumber(newest.volume_24h_usd),
        btcDominance: toNumber(newest.btc_dominance),
        marketCapChange: changePercent(newest.market_cap_usd, before.market_cap_usd),
        volumeChange: changePercent(newest.volume_24h_usd, before.volume_24h_usd),
        btcDominanceChange: toNumber(difference(newest.btc_dominance, before.btc_dominance)),
      },
      asOf: newest.at,
    }
  },
})

const difference = (a: string, b: string) => formatDecimal(subtract(decimal(a), decimal(b)))
const changePercent = (now: string, before: string) => ratio(difference(now, before), before) * 100
