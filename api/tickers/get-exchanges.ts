import { z } from 'zod'
import { readExchanges } from '../../db/tickers/read-exchanges.ts'
import { defineRoute } from '../route.ts'
import { oldest, toNumber } from '../shapes.ts'

export const getExchanges = defineRoute({
  method: 'GET',
  path: '/tickers/exchanges',
  tag: 'Markets',
  summary: 'Exchanges by trading volume',
  response: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      rank: z.number().int().describe('Rank by `volume24h`; 1 is the largest'),
      change24h: z.number().describe('Volume change over 24 hours in percent; 0 when unknown'),
      volume24h: z.number().describe('Volume over 24 hours, USD'),
      volume7d: z.number().describe('Volume over 7 days, USD; 0 when unknown'),
      icon: z.string().optional().describe('URL of the logo'),
      url: z.string().optional().describe('URL of the web site'),
      volume1m: z.number().optional().describe('Volume over 30 days, USD'),
    }),
  ),
  credits: 2,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['ticker_exchanges'] },
  async handler(_input, { db }) {
    const exchanges = await readExchanges(db)
    return {
      body: exchanges.map((row) => ({
        id: row.id,
        name: row.name,
        rank: row.rank,
        change24h: toNumber(row.change_24h ?? '0'),
        volume24h: toNumber(row.volume_24h_usd),
        volume7d: toNumber(row.volume_7d_usd ?? '0'),
        ...(row.icon !== null && { icon: row.icon }),
        ...(row.url !== null && { url: row.url }),
        ...(row.volume_30d_usd !== null && { volume1m: toNumber(row.volume_30d_usd) }),
      })),
      asOf: oldest(exchanges.map(({ at }) => at)),
    }
  },
})
