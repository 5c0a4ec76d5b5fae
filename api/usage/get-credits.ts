import { z } from 'zod'
import { defineRoute } from '../route.ts'

export const getCredits = defineRoute({
  method: 'GET',
  path: '/usage/credits',
  tag: 'Usage',
  summary: 'Credits of the current period',
  description: 'Works without credits. Includes every charge whose response came before this request.',
  response: z.object({
    totalCredits: z.number(),
    usedCredits: z.number(),
    remainingCredits: z.number(),
    subscription: z.enum(['FREE', 'STARTER', 'PRO', 'ENTERPRISE']),
  }),
  credits: 0,
  plan: 'any',
  x402: null,
  async handler(_input, { account }) {
    if (!account) throw new Error('a keyed route has an account')
    const { granted, available } = account.balance
    return {
      body: {
        totalCredits: granted,
        usedCredits: granted - available,
        remainingCredits: available,
        subscription: account.plan.toUpperCase() as 'FREE' | 'STARTER' | 'PRO' | 'ENTERPRISE',
      },
      asOf: null,
    }
  },
})
