import { readBooks } from '../../db/pnl/books.ts'
import { pricedNetworks, withOneNetwork } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { holdings, holdingsSchema, holdingsShape } from './holdings.ts'
import { someSynced } from './synced-wallets.ts'

export const getWalletPl = defineRoute({
  method: 'GET',
  path: '/wallet/pl',
  tag: 'Wallets',
  summary: 'Coins of a wallet with what they cost and earned',
  description:
    'At average cost, on one network or on all that were synced; the coins that were held once as well, for what they earned. Figures in BTC and ETH are made of the prices of each instant. Over all coins what is realised and unrealised is the profit of /wallet/pl/history. 409 before the first sync.',
  query: withOneNetwork({ address: walletParam(), ...holdingsShape }),
  response: holdingsSchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  needsSync: true,
  mayLag: true,
  async handler({ query }, { db, now }) {
    const { address, networks } = query
    const { synced } = await someSynced(
      db,
      networks.map((network) => ({ network, address })),
    )
    return {
      body: await holdings(db, { books: await readBooks(db, synced), query, now: now() }),
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
    }
  },
})
