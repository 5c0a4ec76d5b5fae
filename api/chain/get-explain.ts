import { readBooks } from '../../db/pnl/books.ts'
import { pricedNetworks, withOneNetwork } from '../networks.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { explain, explainSchema } from '../pnl/explain.ts'
import { explainShape } from '../pnl/explain-shape.ts'
import { someComputed } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

export const getWalletExplain = defineRoute({
  method: 'GET',
  path: '/wallet/explain',
  tag: 'Wallets',
  summary: 'Breakdown of one figure of a wallet',
  description:
    'Explains a point of /wallet/pl/history, given by its `date` and the same `interval`, window and `currency`: the values at both ends with every position and price, and each flow. Explains a row of /wallet/pl, given by `coinId` alone: the months that add up to it, the open lots and the last 24 hours. With `month`: each entry of that month with its prices and the lots it used. Amounts are exact decimals that add up to the figure to the last digit. Returns 409 until a first sync is complete, which the first read starts, and while the figures do not include the latest changes.',
  query: withOneNetwork({ address: walletParam(), ...explainShape }),
  response: explainSchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  needsSync: true,
  mayLag: true,
  async handler({ query }, context) {
    const { db, now } = context
    const { address, networks } = query
    const { synced, pending } = await someComputed(
      context,
      networks.map((network) => ({ network, address })),
    )
    const books = await readBooks(db, synced)
    const names = new Map(books.map(({ id, networkId }) => [id, networkId]))
    const named = { set: { books }, nameOf: (bookId: string) => names.get(bookId)! }
    return {
      ...(await explain(db, { query, now: now(), named })),
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
      pending,
    }
  },
})
