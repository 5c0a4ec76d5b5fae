import { z } from 'zod'
import { defineRoute } from '../route.ts'

export const getStatus = defineRoute({
  method: 'GET',
  path: '/status',
  tag: 'Status',
  summary: 'Status of the service',
  description: 'The status is `degraded` while the database is unreachable.',
  response: z.object({
    status: z.enum(['ok', 'degraded']),
    version: z.literal('1.0'),
    timestamp: z.iso.datetime(),
  }),
  credits: 0,
  plan: 'any',
  x402: null,
  public: true,
  async handler(_input, { db, now }) {
    const status = await db
      .selectNoFrom((select) => select.lit(1).as('one'))
      .execute()
      .then(
        () => 'ok' as const,
        () => 'degraded' as const,
      )
    return { body: { status, version: '1.0', timestamp: now().toISOString() }, asOf: null }
  },
})
