import { z } from 'zod'
import { enumParam, param } from '../params.ts'
import { defineRoute } from '../route.ts'

const PATH = '^/[!"$-~]*$'

export const getQuote = defineRoute({
  method: 'GET',
  path: '/quote',
  tag: 'Usage',
  summary: 'Price of a call',
  description:
    'Returns the exact price of a call without making it: credits, and USDC at the pay-per-request gateway. Returns 400 and 404 as the call itself would, and 404 for a method that the path does not have. The price does not depend on remaining credits, plan or available data.',
  query: z.object({
    method: enumParam(['GET', 'PATCH', 'POST', 'PUT', 'DELETE'], 'Method of the call').default('GET'),
    path: param((text) => (new RegExp(PATH).test(text) ? text : undefined), {
      pattern: PATH,
      reason: 'a path with its query string, percent-encoded as a whole',
      description:
        'Path of the call with its query string, percent-encoded as a whole: `/wallet/pl?address=..&connectionId=all`. With or without /v1',
      example: '/coins?limit=3',
    }),
    body: param((text) => text, {
      reason: 'JSON',
      description:
        'JSON body of a PATCH or POST, read only if the price depends on it. Never send credentials',
      example:
        '{"wallets":[{"address":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","connectionId":"ethereum"}]}',
    }).optional(),
  }),
  response: z.object({
    endpoint: z.string().describe('Method and path as in this reference'),
    credits: z.number(),
    multipliers: z.string().nullable().describe('Multipliers of the base price; null if the price is fixed'),
    x402: z
      .object({ amount: z.string().describe('In units of 0.000001 USDC'), usdc: z.string() })
      .nullable()
      .describe('null when the gateway does not sell the call'),
  }),
  credits: 0,
  plan: 'any',
  x402: null,
  async handler({ query: { method, path, body } }, { quote }) {
    if (!quote) throw new Error('a keyed route always has a quote function')
    return { body: quote({ method, path, body }), asOf: null }
  },
})
