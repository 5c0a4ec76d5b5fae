import { z } from 'zod'

export const connectedSchema = z
  .object({
    portfolioId: z.string(),
    connectionId: z.string().describe('The network or the exchange'),
    status: z.enum(['connected', 'existing']).describe('`existing`: the account had already connected it'),
  })
  .meta({ title: 'ConnectedPortfolio' })
