import { z } from 'zod'
import { exchangeIcon, EXCHANGES } from '../../db/values/exchanges.ts'
import { defineRoute } from '../route.ts'

export const getExchangeSupport = defineRoute({
  method: 'GET',
  path: '/exchange/support',
  tag: 'Exchanges',
  summary: 'Exchanges whose accounts can be connected',
  response: z.array(
    z.object({
      connectionId: z.string(),
      name: z.string(),
      icon: z.string(),
      connectionFields: z
        .array(z.object({ name: z.string(), key: z.string() }))
        .describe('The fields that POST /exchange/balance requires'),
    }),
  ),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  async handler() {
    return {
      body: EXCHANGES.map((exchange) => ({
        connectionId: exchange.id,
        name: exchange.name,
        icon: exchangeIcon(exchange),
        connectionFields: exchange.fields.map((field) => ({ name: field.name, key: field.key })),
      })),
      asOf: null,
    }
  },
})
