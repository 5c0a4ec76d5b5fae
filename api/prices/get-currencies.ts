import { z } from 'zod'
import { readCoinRates, readFiatRates } from '../../db/prices/read-prices.ts'
import { defineRoute } from '../route.ts'
import { oldest, toNumber } from '../shapes.ts'

export const getCurrencies = defineRoute({
  method: 'GET',
  path: '/currencies',
  tag: 'Currencies',
  summary: 'Exchange rates of all supported currencies',
  description:
    'Reference rates of central banks, and the current prices of BTC and ETH. Discontinued currencies are not listed and not accepted as `currency`.',
  response: z.object({
    result: z.record(z.string(), z.number()).describe('Units of the currency per USD, by code; USD is 1'),
    as_of: z
      .record(z.string(), z.iso.datetime())
      .describe('Start of validity of each rate; reference rates are carried forward over days without one'),
  }),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['coin_quotes', 'fx_rates'] },
  async handler(_input, { db }) {
    const [coins, fiats] = await Promise.all([readCoinRates(db), readFiatRates(db)])
    const rates = [...coins, ...fiats]
    return {
      body: {
        result: {
          USD: 1,
          ...Object.fromEntries(rates.map(({ currency, perUsd }) => [currency, toNumber(perUsd)])),
        },
        as_of: Object.fromEntries(rates.map(({ currency, asOf }) => [currency, asOf.toISOString()])),
      },
      asOf: oldest(rates.map(({ fetchedAt }) => fetchedAt)),
    }
  },
})
