import { z } from 'zod'
import { readEventRange, readEvents } from '../../db/events/read-events.ts'
import { integerParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { eventSchema } from './event-schema.ts'
import { afterParam, checkPlace, readerOf, typesParam, watch } from './reading.ts'

const MOST = 100

export const getEvents = defineRoute({
  method: 'GET',
  path: '/events',
  tag: 'Events',
  summary: 'Events of your wallets, oldest first',
  description:
    'What happened to the wallets and exchange accounts among your portfolios, to wallets that your streams and webhooks name, and what fired your alerts. Your first read subscribes the account for three days, and each later read again: events begin then, and each costs its credits once, however it is received. 410: events after that number are no longer kept, and `X-Oldest-Event` has the oldest number that is.',
  query: z.object({
    after: afterParam('Only events after this number. Absent: from the oldest event that is kept').optional(),
    types: typesParam().optional(),
    limit: integerParam({ minimum: 1, maximum: MOST, description: 'Most events of one answer' }).default(20),
  }),
  response: z.object({
    meta: z.object({
      limit: z.number().int(),
      next: z.string().nullable().describe('Number of the last event: the next `after`. null: there is none'),
    }),
    result: z.array(eventSchema),
  }),
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ query: { after, types = null, limit } }, context) {
    const reader = readerOf(context)
    const { db } = context
    const accountId = reader.account.id
    await watch(reader, { addresses: null, types })
    const range = await readEventRange(db, accountId)
    checkPlace(range, { name: 'after', after })
    const events = await readEvents(db, {
      accountId,
      types,
      addresses: null,
      after: after ?? range.droppedTo,
      limit,
    })
    const meta = JSON.stringify({ limit, next: events.at(-1)?.seq ?? after ?? null })
    return {
      body: { json: `{"meta":${meta},"result":[${events.map(({ body }) => body).join(',')}]}` },
      asOf: null,
    }
  },
})
