import { z } from 'zod'
import { RANGES } from '../../db/values/periods.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { PRICE_TABLES, rangeEnds, walletsShown } from '../figures/holders.ts'
import { enumParam, walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, pendingMeta, pointSchema } from '../shapes.ts'
import { readableWallets } from './synced-wallets.ts'
import { walletSets } from './wallet-sets.ts'
import { valueChart } from './value-chart.ts'

export const getWalletChart = defineRoute({
  method: 'GET',
  path: '/wallet/chart',
  tag: 'Wallets',
  summary: 'Value of a wallet over time',
  description:
    'Hourly points for `24h`, daily points (00:00 UTC) for longer ranges, from the first transaction on; the last point is now, at the newest quotes. Each point uses the prices of its own time. Without points until the history of a network is complete; `meta.pending` names the missing networks. The first read of a wallet starts its sync.',
  query: withNetworks({ address: walletParam(), type: enumParam(RANGES) }),
  response: z.object({ result: z.array(pointSchema('milliseconds')), meta: pendingMeta }),
  credits: 40,
  multiplied: { creditsAll: 400, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.004',
  mayLag: true,
  figures: {
    holdersOf: ({ query: { address, networks, type } }) =>
      walletsShown(
        networks.map((network) => ({ network, address })),
        type,
      ),
    reads: PRICE_TABLES,
    instants: ({ query }, nowMs) => rangeEnds(query.type, nowMs),
  },
  async handler({ query: { address, networks, type } }, context) {
    const { db, now } = context
    const { synced, pending } = await readableWallets(
      context,
      networks.map((network) => ({ network, address })),
    )
    const sets = await walletSets(db, synced)
    const { points, priceAsOf } = await valueChart(db, { sets, range: type, now: now() })
    return {
      body: { result: points },
      asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
      priceAsOf,
      pending,
    }
  },
})
