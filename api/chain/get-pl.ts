import { readBooks } from '../../db/pnl/books.ts'
import { pricedNetworks, withOneNetwork } from '../networks.ts'
import { COIN_TABLES, walletsShown } from '../figures/holders.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { holdings, holdingsSchema, holdingsShape } from './holdings.ts'
import { someSynced } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

export const getWalletPl = defineRoute({
  method: 'GET',
  path: '/wallet/pl',
  tag: 'Wallets',
  summary: 'Cost and profit of each coin of a wallet',
  description:
    'Figures at average cost, on one network or on all synced networks. Includes coins that the wallet no longer holds, with their profit. Figures in BTC and ETH use the prices of each instant. Realised plus unrealised profit of all coins equals the profit of /wallet/pl/history. Returns 409 until a first sync is complete; the first read of a wallet starts it. `meta.pending` names networks that are still missing.',
  query: withOneNetwork({ address: walletParam(), ...holdingsShape }),
  response: holdingsSchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  needsSync: true,
  mayLag: true,
  figures: {
    holdersOf: ({ query: { address, networks, ...question } }) =>
      walletsShown(
        networks.map((network) => ({ network, address })),
        question,
      ),
    reads: COIN_TABLES,
  },
  async handler({ query }, context) {
    const { db, now } = context
    const { address, networks } = query
    const { synced, pending } = await someSynced(
      context,
      networks.map((network) => ({ network, address })),
    )
    return {
      ...(await holdings(db, { books: await readBooks(db, synced), query, now: now() })),
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
      pending,
    }
  },
})
