import { notSynced } from '../errors.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { addressParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { someSynced } from '../chain/synced-wallets.ts'
import { defiOf, defiSchema } from './defi-positions.ts'

export const getWalletDefi = defineRoute({
  method: 'GET',
  path: '/wallet/defi',
  tag: 'Wallets',
  summary: 'Positions of a wallet in DeFi protocols',
  description:
    'Positions are read on chain after each sync of the wallet, each network at one block, and valued at current prices. A protocol that does not answer is shown as last read; X-Data-As-Of is the time of the oldest read or price. Networks that were never synced are left out. Returns 409 until positions are read: start with PATCH /wallet/transactions.',
  query: withNetworks({ address: addressParam() }),
  response: defiSchema,
  credits: 400,
  multiplied: { creditsAll: 4_000, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'paid',
  x402: '0.04',
  needsSync: true,
  mayLag: true,
  async handler({ query: { address, networks } }, { db }) {
    const { synced } = await someSynced(
      db,
      networks.map((network) => ({ network, address })),
    )
    const { body, known, priceAsOf } = await defiOf(db, synced)
    if (known.length === 0) throw notSynced()
    return { body, asOf: oldest(known.map(({ asOf }) => asOf)), priceAsOf }
  },
})
