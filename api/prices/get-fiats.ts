import { z } from 'zod'
import { readFiatRates } from '../../db/prices/read-prices.ts'
import { defineRoute } from '../route.ts'
import { oldest, toNumber } from '../shapes.ts'

export const getFiats = defineRoute({
  method: 'GET',
  path: '/fiats',
  tag: 'Currencies',
  summary: 'Fiat currencies with their rates',
  response: z.array(
    z.object({
      name: z.string().describe('Currency code'),
      rate: z.number().describe('Units of the currency per USD'),
      symbol: z.string(),
      imageUrl: z.string().describe('URL of the flag'),
    }),
  ),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['fx_rates'] },
  async handler(_input, { db }) {
    const rates = await readFiatRates(db)
    const usd = { currency: 'USD', perUsd: '1' }
    return {
      body: [usd, ...rates].map(({ currency, perUsd }) => ({
        name: currency,
        rate: toNumber(perUsd),
        symbol: symbolOf(currency),
        // ISO 4217: the first two letters are the country code, including EU.
        imageUrl: `https://flagcdn.com/${currency.slice(0, 2).toLowerCase()}.svg`,
      })),
      asOf: oldest(rates.map(({ fetchedAt }) => fetchedAt)),
    }
  },
})

function symbolOf(currency: string): string {
  const parts = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}
