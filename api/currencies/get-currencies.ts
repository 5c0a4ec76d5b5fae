import { z } from 'zod'
import { readCoinRates, readFiatRates } from '../../db/prices/read-rates.ts'
import { defineRoute } from '../route.ts'
import { oldest, toNumber } from '../shapes.ts'

export const getCurrencies = defineRoute({
  method: 'GET',
  path: '/currencies',
  tag: 'Currencies',
  summary: 'Rates of all currencies that values can be asked in',
  response: z.object({
    result: z.record(z.string(), z.number()).describe('Units of the currency for one USD, by code; USD is 1'),
  }),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  async handler(_input, { db }) {
    const [coins, fiats] = await Promise.all([readCoinRates(db), readFiatRates(db)])
    const rates = [...coins, ...fiats]
    return {
      body: {
        result: {
          USD: 1,
          ...Object.fromEntries(rates.map(({ currency, perUsd }) => [currency, toNumber(perUsd)])),
        },
      },
      asOf: oldest(rates.map(({ fetchedAt }) => fetchedAt)),
    }
  },
})
