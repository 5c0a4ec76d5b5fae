import { z } from 'zod'
import { walletSync } from '../../db/sync-commands.ts'
import { readSyncStates } from '../../db/chain/read-syncs.ts'
import { readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { type NetworkId, networkNamed, NETWORKS } from '../../db/values/networks.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { unavailable } from '../errors.ts'
import { fitsNetworks, networkIssue } from '../networks.ts'
import { nameField } from '../body-fields.ts'
import { param, walletParam } from '../params.ts'
import { oneOf } from '../reasons.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { needsSync } from '../is-fresh.ts'
import { syncsOf } from '../chain/synced-wallets.ts'
import { refreshAccount } from '../../db/portfolios/commands.ts'
import { connectedSchema } from './connected.ts'

const body = z
  .strictObject({
    address: walletParam(),
    connectionId: param((text) => networkNamed(text)?.id, {
      enum: NETWORKS.map(({ id }) => id),
      reason: (text) =>
        oneOf(
          NETWORKS.map(({ id }) => id),
          text,
        ),
      description: 'One network',
    }),
    name: nameField().optional(),
  })
  .transform(({ address, connectionId: network, name = null }, context) => {
    if (fitsNetworks(address, [network])) return { address, network, name }
    context.addIssue({ code: 'custom', ...networkIssue([network]) })
    return z.NEVER
  })

export const postPortfolioWallet = defineRoute({
  method: 'POST',
  path: '/portfolio/wallet',
  tag: 'Portfolios',
  summary: 'Connect a wallet on one network',
  description:
    'Starts a sync unless the wallet was synced in the last 30 seconds or is followed with each block, and returns when the first balances are stored, at most after the wait of a first read. Poll GET /portfolio/status until the history is `synced`. Connecting the same wallet on the same network again returns the same portfolio id; a `name` then renames the portfolio.',
  requestBody: body,
  response: connectedSchema,
  credits: 40,
  plan: 'any',
  x402: null,
  async handler({ body }, { db, account, now, firstReads }) {
    if (!account || !firstReads) throw unavailable()
    const newId = uuidV7(now().getTime())
    return followWallet({ db, now, firstReads }, { accountId: account.id, newId, ...body })
  },
})

/** Decides how an account connects a wallet. `newId`: its id, unless the wallet is connected already. */
export async function followWallet(
  { db, now, firstReads }: Pick<RouteContext, 'db' | 'now' | 'firstReads'>,
  wallet: { accountId: string; address: string; network: NetworkId; name: string | null; newId: string },
) {
  const { accountId, address, network, name, newId } = wallet
  const [sync] = await syncsOf(db, [{ address, network }])
  const state = (await readSyncStates(db, [address])).find(({ networkId }) => networkId === network)
  const known = (await readPortfolios(db, { accountId })).find(
    (one) => one.kind === 'wallet' && one.address === address && one.networkId === network,
  )
  const id = known?.id ?? newId
  const isNew = known === undefined
  const status = isNew ? ('connected' as const) : ('existing' as const)
  const isRenamed = !isNew && name !== null && name !== known.name
  return {
    body: { portfolioId: id, connectionId: network, status },
    asOf: null,
    ...(!state?.syncedAt && { beforeSend: async () => firstReads?.wait([sync!]) }),
    writes: [
      ...(isNew ? [{ kind: 'follow', id, name, address, networkId: network } as const] : []),
      ...(isRenamed ? [{ kind: 'rename', id, name } as const] : []),
    ],
    commands: [
      ...(needsSync(state, now()) ? [walletSync(sync!)] : []),
      ...(isNew ? [refreshAccount(accountId)] : []),
    ],
  }
}
