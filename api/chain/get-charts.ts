import { z } from 'zod'
import { networkWithId } from '../../db/values/networks.ts'
import { RANGES } from '../../db/values/periods.ts'
import { type NetworkItem, pricedNetworks, walletPairs } from '../networks.ts'
import { booleanParam, enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, pointSchema } from '../shapes.ts'
import { failedItems, isSynced, startedWallets } from './synced-wallets.ts'
import { walletSets } from './wallet-sets.ts'
import { valueChart } from './value-chart.ts'

const NOT_SYNCED = 'Transactions not synced'
const SYNC_FAILED = 'Synchronization failed'

const entry = z.object({
  data: z.array(pointSchema('milliseconds')),
  walletAddress: z.string().optional(),
  connectionId: z.string().optional(),
  blockchain: z.string().optional(),
  message: z
    .string()
    .optional()
    .describe('Why the wallet, or one of the wallets, is missing; empty when none is missing'),
})

export const getWalletCharts = defineRoute({
  method: 'GET',
  path: '/wallet/charts',
  tag: 'Wallets',
  summary: 'Value of several wallets over time',
  description:
    'Points as in /wallet/chart. With `aggregated`, one entry with the sums over all wallets; each wallet and network counts once. Otherwise one entry per item of `wallets`. A wallet without a complete history has a `message`; its first read starts the sync. A wallet whose sync fails on our side is not charged.',
  query: z.object({
    type: enumParam(RANGES),
    wallets: walletPairs(),
    aggregated: booleanParam({ default: true }),
  }),
  response: z.array(entry),
  credits: 40,
  multiplied: {
    creditsAll: 400,
    items: ({ query: { wallets } }) => pricedNetworks(wallets.map(({ network }) => network)),
  },
  plan: 'any',
  x402: '0.004',
  async handler({ query: { type: range, wallets: items, aggregated } }, context) {
    const { db, now } = context
    const selection = await startedWallets(context, items)
    const { synced, missing, pending } = selection
    const byItem = selection.byItem.map((wallets) => wallets.filter(isSynced))
    const hasFailed = failedItems(items, selection)
    const failed = pricedNetworks(
      items.filter((_item, index) => hasFailed[index]).map(({ network }) => network),
    )
    const asOf = oldest(synced.map(({ syncedAt }) => syncedAt))
    const at = now()
    if (aggregated) {
      const sets = await walletSets(db, synced)
      const { points, priceAsOf } = await valueChart(db, { sets, range, now: at })
      const message = missing.length === 0 ? '' : NOT_SYNCED
      return { body: [{ data: points, message }], asOf, priceAsOf, failed, pending }
    }
    const body: z.infer<typeof entry>[] = []
    const prices: (Date | null)[] = []
    for (const [index, { network, address }] of items.entries()) {
      const wallets = byItem[index]!
      const sets = await walletSets(db, wallets)
      const { points, priceAsOf } = await valueChart(db, { sets, range, now: at })
      prices.push(priceAsOf)
      body.push({
        data: points,
        walletAddress: address,
        connectionId: network,
        blockchain: blockchainOf(network),
        message: wallets.length > 0 ? '' : hasFailed[index] ? SYNC_FAILED : NOT_SYNCED,
      })
    }
    return { body, asOf, priceAsOf: oldest(prices), failed, pending }
  },
})

const blockchainOf = (network: NetworkItem): string =>
  network === 'all' ? 'all' : networkWithId(network).blockchain
