import { pricedNetworks, withNetworks } from '../networks.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { nameOfPending, readableWallets } from '../chain/synced-wallets.ts'
import { defiSchema, findDefi, toDefi } from './defi-positions.ts'
import { walletParam } from '../params.ts'

export const getWalletDefi = defineRoute({
  method: 'GET',
  path: '/wallet/defi',
  tag: 'Wallets',
  summary: 'Positions of a wallet in DeFi protocols',
  description:
    'Positions are read on chain after each sync of the wallet, each network at one block (on Solana from one slot on), and valued at current prices. A protocol that does not answer is shown as last read; X-Data-As-Of is the time of the oldest read or price. `meta.pending` names the networks whose positions have not been read. The first read of a wallet starts its sync.',
  query: withNetworks({ address: walletParam() }),
  response: defiSchema,
  credits: 400,
  multiplied: { creditsAll: 4_000, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'paid',
  x402: '0.04',
  mayLag: true,
  async handler({ query: { address, networks } }, context) {
    const { synced, pending } = await readableWallets(
      context,
      networks.map((network) => ({ network, address })),
    )
    const found = await findDefi(context.db, synced)
    const { known, unread, priceAsOf } = found
    return {
      body: await toDefi(context.db, found),
      asOf: oldest(known.map(({ asOf }) => asOf)),
      priceAsOf,
      pending: [...pending, ...unread.map(nameOfPending)],
    }
  },
})
