import { z } from 'zod'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { balanceSchema, mergedBalances } from './balance.ts'
import { someSynced } from './synced-wallets.ts'

export const getBalance = defineRoute({
  method: 'GET',
  path: '/wallet/balance',
  tag: 'Wallets',
  summary: 'Balances of a wallet',
  description:
    'Balances as of the last sync of each network, the most valuable first, without spam tokens. X-Data-As-Of is the oldest sync, or the oldest price if that is older; X-Price-As-Of is the latter. Omits listed networks that were never synced. Returns 409 when none was synced: start with PATCH /wallet/transactions.',
  query: withNetworks({ address: walletParam() }),
  response: z.array(balanceSchema),
  credits: 40,
  multiplied: { creditsAll: 400, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.004',
  needsSync: true,
  mayLag: true,
  async handler({ query: { address, networks } }, { db }) {
    const { synced } = await someSynced(
      db,
      networks.map((network) => ({ network, address })),
    )
    const { balances, priceAsOf } = await mergedBalances(db, synced)
    return { body: balances, asOf: oldest(synced.map(({ syncedAt }) => syncedAt)), priceAsOf }
  },
})
