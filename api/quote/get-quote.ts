import { z } from 'zod'
import { enumParam, param } from '../params.ts'
import { defineRoute } from '../route.ts'

const PATH = '^/[!"$-~]*$'

export const getQuote = defineRoute({
  method: 'GET',
  path: '/quote',
  tag: 'Usage',
  summary: 'What a call would cost',
  description:
    'The exact credits and the price at the pay-per-request gateway of a call that is not made, by the functions that charge it. Answers 400 and 404 as the call itself would; a method that the path does not have is 404. Credits that are left, the plan and whether the data is there play no part.',
  query: z.object({
    method: enumParam(['GET', 'PATCH', 'POST', 'DELETE'], 'Method of the call').default('GET'),
    path: param((text) => (new RegExp(PATH).test(text) ? text : undefined), {
      pattern: PATH,
      description:
        'Path of the call with its query string, percent-encoded as a whole: `/wallet/pl?address=..&connectionId=all`. With or without /v1',
    }),
    body: param((text) => text, {
      description:
        'JSON body of a PATCH or POST; only looked at where the price depends on it. Never send credentials',
    }).optional(),
  }),
  response: z.object({
    endpoint: z.string().describe('Method and path as they are listed'),
    credits: z.number(),
    multipliers: z.string().nullable().describe('What multiplies the base price; null for a fixed one'),
    x402: z
      .object({ amount: z.string().describe('In units of 0.000001 USDC'), usdc: z.string() })
      .nullable()
      .describe('null: not sold at the gateway'),
  }),
  credits: 0,
  plan: 'any',
  x402: null,
  async handler({ query: { method, path, body } }, { quote }) {
    if (!quote) throw new Error('a keyed route can be asked what it costs')
    return { body: quote({ method, path, body }), asOf: null }
  },
})
