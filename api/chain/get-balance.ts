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
  summary: 'What a wallet holds',
  description:
    'Balances as of the last sync of each network (X-Data-As-Of: the oldest), the most valuable first, without tokens that are spam. Listed networks that were never synced are left out; 409 when none was: start with PATCH /wallet/transactions.',
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
    return {
      body: await mergedBalances(db, synced),
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
    }
  },
})
