import { z } from 'zod'
import { readEventRange } from '../../db/events/read-events.ts'
import { parseWalletAddress, WALLET_PATTERN } from '../../db/values/wallet-address.ts'
import { startedWallets } from '../chain/synced-wallets.ts'
import { ApiError } from '../errors.ts'
import { listParam, WALLET_EXAMPLE } from '../params.ts'
import { defineRoute } from '../route.ts'
import { eventSchema } from './event-schema.ts'
import { afterParam, checkPlace, readerOf, typesParam, watch } from './reading.ts'

const MOST_ADDRESSES = 100

export const getEventStream = defineRoute({
  kind: 'stream',
  method: 'GET',
  path: '/events/stream',
  tag: 'Events',
  summary: 'Stream of events as they happen (server-sent events)',
  description:
    'Each event has its number as `id`, its type as `event`, and as `data` what GET /events answers. It begins with what happens from now on, or after the number in `Last-Event-ID` or `after`. That number comes at once as an `id` without an event: with it you miss nothing if the connection breaks before the first event. Opening it subscribes the account for three days, as GET /events does: to the wallets in `addresses`, or to those among your portfolios. It ends after an hour, or when the client reads too slowly: open it again with the last number. 410: events after that number are no longer kept, and `X-Oldest-Event` has the oldest number that is.',
  query: z.object({
    types: typesParam().optional(),
    addresses: listParam({
      readItem: (text) => parseWalletAddress(text)?.address,
      item: { type: 'string', pattern: `^${WALLET_PATTERN}$`, reason: 'an address of a wallet' },
      maxItems: MOST_ADDRESSES,
      description:
        'Only events of these wallets, on the networks of `all`. Absent: all wallets and exchange accounts of your portfolios',
    })
      .meta({ example: [WALLET_EXAMPLE] })
      .optional(),
    after: afterParam('Only events after this number. Absent: from now on').optional(),
    ticket: z
      .string()
      .regex(/^evk_[\w-]{43}$/, 'It must be a ticket of POST /events/ticket')
      .optional()
      .meta({
        description: 'Opens the stream without a key, once',
        example: `evk_${'k3Jx9QmZ'.repeat(5)}aB2`,
      }),
  }),
  headers: z.object({
    'last-event-id': afterParam('Number of the last event that the client has. Wins over `after`').optional(),
  }),
  response: eventSchema,
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ query: { types = null, addresses = null, ...query }, headers }, context) {
    const reader = readerOf(context)
    const { db } = context
    const { account, limits, streams } = reader
    const lastId = headers['last-event-id']
    const range = await readEventRange(db, account.id)
    checkPlace(
      range,
      lastId === undefined ? { name: 'after', after: query.after } : { name: 'last-event-id', after: lastId },
    )
    if (streams.count(account.id) >= limits.streams) throw tooManyStreams(limits.streams)
    if (addresses)
      await startedWallets(
        context,
        addresses.map((address) => ({ address, network: 'all' })),
      )
    await watch(reader, { addresses, types })
    const after = lastId ?? query.after ?? range.newest
    const filter = { accountId: account.id, types, addresses }
    return { body: { json: '' }, asOf: null, stream: () => streams.open({ filter, after }) }
  },
})

const tooManyStreams = (most: number) =>
  new ApiError(429, `Too many open streams: the plan has ${most}`, { 'retry-after': '5' })
