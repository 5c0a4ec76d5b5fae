import { readBooks } from '../../db/pnl/books.ts'
import { pricedNetworks, withOneNetwork } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { explainPoint } from './explain-point.ts'
import { pointSchema } from './explain-point-schema.ts'
import { explainShape } from './explain-shape.ts'
import { someSynced } from './synced-wallets.ts'

export const getWalletExplain = defineRoute({
  method: 'GET',
  path: '/wallet/explain',
  tag: 'Wallets',
  summary: 'What a profit of a wallet is the sum of',
  description:
    'A point of /wallet/pl/history: its `date`, with the same `interval`, window and `currency`. The values at both ends with every position and price, and each flow; amounts are exact decimals, which add up to the figure to the last digit. 409 before the first sync, and while something has changed that is not in the figures yet.',
  query: withOneNetwork({ address: walletParam(), ...explainShape }),
  response: pointSchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  needsSync: true,
  async handler({ query }, { db, now }) {
    const { address, networks } = query
    const { synced } = await someSynced(
      db,
      networks.map((network) => ({ network, address })),
    )
    const books = await readBooks(db, synced)
    const names = new Map(books.map(({ id, networkId }) => [id, networkId]))
    const named = { set: { books }, nameOf: (bookId: string) => names.get(bookId)! }
    return {
      body: await explainPoint(db, { query, now: now(), named }),
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
    }
  },
})
