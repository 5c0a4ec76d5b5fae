import { z } from 'zod'
import { type HistoryGap, readHistoryGaps, readSyncStates } from '../../db/chain/read-syncs.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { defineRoute } from '../route.ts'
import { oldest, syncStatusSchema } from '../shapes.ts'
import { keyOfSync, refuseUnavailable, startedWallets } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

export const getWalletStatus = defineRoute({
  method: 'GET',
  path: '/wallet/status',
  tag: 'Wallets',
  summary: 'Sync status of a wallet',
  description:
    '`synced` when every listed network was synced after its last request with PATCH /wallet/transactions, and its figures are computed. A wallet on a followed network is `synced` as long as its history is complete and all blocks are read. `all` means every network that it covers and that has a source or was synced. `lastSyncedAt` is the age of what is served: on a followed network that of its follower, which is seconds. The sync of a network that was never requested starts.',
  query: withNetworks({ address: walletParam() }),
  response: syncStatusSchema.extend({
    lastSyncedAt: z.iso
      .datetime()
      .nullable()
      .describe(
        'Everything up to this time is served on each network with a complete history; null: on none. The same as X-Data-As-Of',
      ),
    message: z
      .string()
      .optional()
      .describe('What is being read on followed networks, and what part of the history no source gives'),
  }),
  credits: 3,
  multiplied: { creditsAll: 30, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.001',
  async handler({ query: { address, networks } }, context) {
    const items = networks.map((network) => ({ network, address }))
    const selection = await startedWallets(context, items)
    await refuseUnavailable(context.db, { items, selection })
    const { synced, missing, pending } = selection
    const states = new Map(
      (await readSyncStates(context.db, [address])).map((state) => [keyOfSync(state), state]),
    )
    const asked = [...synced, ...missing].flatMap((wallet) => states.get(keyOfSync(wallet)) ?? [])
    const isDone = pending.length === 0 && asked.every(({ isCurrent, requested }) => isCurrent && !requested)
    const networkIds = synced.map(({ networkId }) => networkId)
    const gaps = await readHistoryGaps(context.db, { address, networkIds })
    const lines = [...asked.flatMap(({ message }) => message ?? []), ...gaps.map(lineOf)]
    const asOf = oldest(synced.map(({ syncedAt }) => syncedAt))
    return {
      body: {
        status: isDone ? ('synced' as const) : ('syncing' as const),
        lastSyncedAt: asOf?.toISOString() ?? null,
        ...(lines.length > 0 && { message: `${lines.join('. ')}.` }),
      },
      asOf,
    }
  },
})

const lineOf = ({ networkId, until }: HistoryGap): string =>
  until
    ? `Transactions on ${networkId} up to ${until.toISOString()} are incomplete`
    : `Old transactions on ${networkId} are incomplete`
