import { readSyncStates } from '../../db/chain/read-syncs.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, syncStatusSchema } from '../shapes.ts'

export const getWalletStatus = defineRoute({
  method: 'GET',
  path: '/wallet/status',
  tag: 'Wallets',
  summary: 'Sync status of a wallet',
  description:
    '`synced` when every listed network was synced after its last request with PATCH /wallet/transactions. `all` means all requested networks. A network that was never requested stays `syncing`.',
  query: withNetworks({ address: walletParam() }),
  response: syncStatusSchema,
  credits: 3,
  multiplied: { creditsAll: 30, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.001',
  async handler({ query: { address, networks } }, { db }) {
    const states = await readSyncStates(db, [address])
    const listed = networks.flatMap((network) => {
      const found = states.filter(({ networkId }) => network === 'all' || network === networkId)
      return found.length > 0 ? found : [null]
    })
    const synced = listed.every((state) => state?.syncedAt && !state.requested)
    return {
      body: { status: synced ? 'synced' : 'syncing' },
      asOf: oldest(listed.map((state) => state?.syncedAt)),
    }
  },
})
