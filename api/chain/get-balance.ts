import { z } from 'zod'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { balanceSchema, includeSpam, mergedBalances, minValueUsd } from './balance.ts'
import { readableWallets } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

export const getBalance = defineRoute({
  method: 'GET',
  path: '/wallet/balance',
  tag: 'Wallets',
  summary: 'Balances of a wallet',
  description:
    'Balances as of the last sync of each network, the most valuable first, without tokens of spam unless `includeSpam` asks for them, and without dust if `minValueUsd` says what is. X-Data-As-Of is the oldest sync, or the oldest price if that is older; X-Price-As-Of is the latter. The first read of a wallet starts its sync and waits for its balances: of the native coin and of listed coins, until the history is complete. Until then `X-Sync-Status` is `syncing`. Returns 503 with Retry-After if no balances arrive in time.',
  query: withNetworks({ address: walletParam(), includeSpam, minValueUsd }),
  response: z.array(balanceSchema),
  credits: 40,
  multiplied: { creditsAll: 400, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: '0.004',
  mayLag: true,
  async handler({ query: { address, networks, ...shown } }, context) {
    const { known, pending } = await readableWallets(
      context,
      networks.map((network) => ({ network, address })),
    )
    const { balances, ...about } = await mergedBalances(context.db, { wallets: known, ...shown })
    return { body: balances, asOf: oldest(known.map(({ asOf }) => asOf)), ...about, pending }
  },
})
