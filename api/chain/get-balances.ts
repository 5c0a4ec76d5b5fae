import { z } from 'zod'
import {
  blockchains,
  connectionIds,
  fitsNetworks,
  networkIssue,
  pricedNetworks,
  type WalletRef,
  walletPairs,
} from '../networks.ts'
import { defineRoute, type Route } from '../route.ts'
import { oldest } from '../shapes.ts'
import { balanceSchema, balancesOf, includeSpam, minValueUsd } from './balance.ts'
import { failedItems, readableWallets } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

const query = z
  .object({
    wallets: walletPairs().optional(),
    address: walletParam('Used when `wallets` is absent').optional(),
    connectionId: connectionIds().optional(),
    blockchain: blockchains().optional(),
    networks: blockchains().optional().meta({ deprecated: true, description: 'Former name of `blockchain`' }),
    includeSpam,
    minValueUsd,
  })
  .transform(
    (
      { wallets, address, connectionId, blockchain, networks, ...shown },
      context,
    ): { wallets: WalletRef[] } & typeof shown => {
      if (wallets) return { wallets, ...shown }
      if (address === undefined) {
        context.addIssue({ code: 'custom', message: 'Either it or `address` is required', path: ['wallets'] })
        return z.NEVER
      }
      const items = connectionId ?? blockchain ?? networks ?? ['all' as const]
      if (!fitsNetworks(address, items)) {
        context.addIssue({ code: 'custom', ...networkIssue(items) })
        return z.NEVER
      }
      return { wallets: items.map((network) => ({ network, address })), ...shown }
    },
  )

const shared = {
  method: 'GET',
  tag: 'Wallets',
  query,
  response: z.array(
    z.object({
      blockchain: z.string(),
      address: z.string(),
      connectionId: z.string(),
      balances: z.array(balanceSchema),
    }),
  ),
  credits: 40,
  multiplied: {
    creditsAll: 400,
    items: ({ query: { wallets } }: { query: { wallets: WalletRef[] } }) =>
      pricedNetworks(wallets.map(({ network }) => network)),
  },
  plan: 'any',
} as const

const handler: Parameters<
  typeof defineRoute<unknown, z.output<typeof query>, unknown, z.output<typeof shared.response>>
>[0]['handler'] = async ({ query: { wallets, ...shown } }, context) => {
  const selection = await readableWallets(context, wallets)
  const { known, pending } = selection
  const hasFailed = failedItems(wallets, selection)
  const { balances, ...about } = await balancesOf(context.db, { wallets: known, ...shown })
  return {
    body: known.map((wallet) => ({
      blockchain: wallet.blockchain,
      address: wallet.address,
      connectionId: wallet.networkId,
      balances: balances(wallet),
    })),
    asOf: oldest(known.map(({ asOf }) => asOf)),
    ...about,
    pending,
    failed: pricedNetworks(
      wallets.filter((_wallet, index) => hasFailed[index]).map(({ network }) => network),
    ),
  }
}

export const getBalanceMany: Route = defineRoute({
  ...shared,
  path: '/wallet/balance/many',
  summary: 'Balances of several wallets',
  description:
    'One entry per wallet and network, as of its last sync; a first read starts the sync and waits as in /wallet/balance. Pass `wallets`, or `address` with `blockchain` (default `all`). Leaves out wallets without balances: `X-Sync-Pending` names them. A wallet whose first sync fails on our side is not charged.',
  x402: '0.004',
  handler,
})

export const getBalances: Route = defineRoute({
  ...shared,
  path: '/wallet/balances',
  summary: 'Former path of /wallet/balance/many',
  deprecatedBy: '/wallet/balance/many',
  x402: null,
  handler,
})
