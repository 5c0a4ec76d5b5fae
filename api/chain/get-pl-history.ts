import { readBooks } from '../../db/pnl/books.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { PRICE_TABLES, rangeEnds, walletsShown } from '../figures/holders.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { plHistory, plHistorySchema } from '../pnl/pl-history.ts'
import { plShape } from '../pnl/pl-window.ts'
import { startedWallets } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

export const getPlHistory = defineRoute({
  method: 'GET',
  path: '/wallet/pl/history',
  tag: 'Wallets',
  summary: 'Profit and loss of a wallet over time',
  description:
    'Cash-flow-adjusted profit or loss per UTC period. Pass `range`, or `from` and `to`; the window may cut off the first and last period. Empty before the first transaction, and until the history of a network is complete: `meta.pending` names those that are not. The first read of a wallet starts its sync. Each amount is converted at the rate of its own time.',
  query: withNetworks({ address: walletParam(), ...plShape }),
  response: plHistorySchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  figures: {
    holdersOf: ({ query: { address, networks, ...question } }) =>
      question.range === undefined
        ? null
        : walletsShown(
            networks.map((network) => ({ network, address })),
            question,
          ),
    reads: PRICE_TABLES,
    instants: ({ query }, nowMs) => rangeEnds(query.range!, nowMs),
  },
  handler: ({ query }, context) =>
    plHistory(context.db, {
      query,
      now: context.now(),
      async readScope() {
        const { address, networks } = query
        const items = networks.map((network) => ({ network, address }))
        const { synced, pending } = await startedWallets(context, items)
        return {
          books: await readBooks(context.db, synced),
          lastSyncedAt: oldest(synced.map(({ syncedAt }) => syncedAt)),
          pending,
        }
      },
    }),
})
