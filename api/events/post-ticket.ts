import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { readerOf } from './reading.ts'

export const postEventTicket = defineRoute({
  method: 'POST',
  path: '/events/ticket',
  tag: 'Events',
  summary: 'A ticket that opens one stream in a browser',
  description:
    'Browsers send no key with a stream. Send the ticket as `ticket` of GET /events/stream within a minute. It opens one stream, and is free: the stream costs its credits.',
  response: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }),
  credits: 0,
  plan: 'any',
  x402: null,
  async handler(_input, context) {
    const { watching, account } = readerOf(context)
    const { ticket, expiresAt } = await watching.openTicket(account.id)
    return { body: { ticket, expiresAt: expiresAt.toISOString() }, asOf: null }
  },
})
