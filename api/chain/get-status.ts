import { readSyncStates } from '../../db/chain/read-syncs.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, syncStatusSchema } from '../shapes.ts'
import { keyOfSync } from './syncs-of.ts'
import { refuseUnavailable, startedWallets } from './synced-wallets.ts'

export const getWalletStatus = defineRoute({
  method: 'GET',
  path: '/wallet/status',
  tag: 'Wallets',
  summary: 'Sync status of a wallet',
  description:
    '`synced` when every listed network was synced after its last request with PATCH /wallet/transactions, and its figures are computed. `all` means every network that has a source or was synced. The sync of a network that was never requested starts.',
  query: withNetworks({ address: walletParam() }),
  response: syncStatusSchema,
  credits: 3,
  multiplied: { creditsAll: 30, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.001',
  async handler({ query: { address, networks } }, context) {
    const items = networks.map((network) => ({ network, address }))
    const selection = await startedWallets(context, items)
    await refuseUnavailable(context.db, { items, selection })
    const { synced, pending } = selection
    const states = pending.length > 0 ? [] : await readSyncStates(context.db, [address])
    const requested = new Set(states.filter((state) => state.requested).map(keyOfSync))
    const isDone = pending.length === 0 && !synced.some((wallet) => requested.has(keyOfSync(wallet)))
    return {
      body: { status: isDone ? 'synced' : 'syncing' },
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
    }
  },
})
