import { readBooks } from '../../db/pnl/books.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { plHistory, plHistorySchema } from '../pnl/pl-history.ts'
import { plShape } from '../pnl/pl-window.ts'
import { selectWallets } from './synced-wallets.ts'

export const getPlHistory = defineRoute({
  method: 'GET',
  path: '/wallet/pl/history',
  tag: 'Wallets',
  summary: 'Profit and loss of a wallet over time',
  description:
    'Cash-flow-adjusted profit or loss per UTC period. Pass `range`, or `from` and `to`; the window may cut off the first and last period. Empty before the first transaction, and when none of the networks was synced. Each amount is converted at the rate of its own time.',
  query: withNetworks({ address: walletParam(), ...plShape }),
  response: plHistorySchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  handler: ({ query }, { db, now }) =>
    plHistory(db, {
      query,
      now: now(),
      async readScope() {
        const { address, networks } = query
        const items = networks.map((network) => ({ network, address }))
        const { synced } = await selectWallets(db, items)
        return {
          books: await readBooks(db, synced),
          lastSyncedAt: oldest(synced.map(({ syncedAt }) => syncedAt)),
        }
      },
    }),
})
