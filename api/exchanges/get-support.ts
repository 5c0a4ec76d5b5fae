import { z } from 'zod'
import { venueIcon, VENUES } from '../../db/values/venues.ts'
import { defineRoute } from '../route.ts'

export const getExchangeSupport = defineRoute({
  method: 'GET',
  path: '/exchange/support',
  tag: 'Exchanges',
  summary: 'Exchanges that accounts can be connected at',
  response: z.array(
    z.object({
      connectionId: z.string(),
      name: z.string(),
      icon: z.string(),
      connectionFields: z
        .array(z.object({ name: z.string(), key: z.string() }))
        .describe('The fields that POST /exchange/balance needs'),
    }),
  ),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  async handler() {
    return {
      body: VENUES.map((venue) => ({
        connectionId: venue.id,
        name: venue.name,
        icon: venueIcon(venue),
        connectionFields: venue.fields.map((field) => ({ name: field.name, key: field.key })),
      })),
      asOf: null,
    }
  },
})
