import { z } from 'zod'
import { RANGES } from '../../db/values/periods.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { walletParam, enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, pointSchema } from '../shapes.ts'
import { someSynced } from './synced-wallets.ts'
import { walletSets } from './wallet-sets.ts'
import { valueChart } from './value-chart.ts'

export const getWalletChart = defineRoute({
  method: 'GET',
  path: '/wallet/chart',
  tag: 'Wallets',
  summary: 'Value of a wallet over time',
  description:
    'Hourly points for `24h`, daily points (00:00 UTC) for longer ranges, from the first transaction on; the last point is now, at the newest quotes. Each point uses the prices of its own time. Omits listed networks that were never synced. Returns 409 when none was synced.',
  query: withNetworks({ address: walletParam(), type: enumParam(RANGES) }),
  response: z.object({ result: z.array(pointSchema('milliseconds')) }),
  credits: 40,
  multiplied: { creditsAll: 400, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.004',
  needsSync: true,
  mayLag: true,
  async handler({ query: { address, networks, type } }, { db, now }) {
    const { synced } = await someSynced(
      db,
      networks.map((network) => ({ network, address })),
    )
    const sets = await walletSets(db, synced)
    const { points, priceAsOf } = await valueChart(db, { sets, range: type, now: now() })
    return { body: { result: points }, asOf: oldest(synced.map(({ syncedAt }) => syncedAt)), priceAsOf }
  },
})
