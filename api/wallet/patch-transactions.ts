import { z } from 'zod'
import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import { readSyncStates } from '../../db/chain/read-syncs.ts'
import { isNetworkId, kindOfNetwork, type NetworkId } from '../../db/values/networks.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { badRequest, invalidParameter, unavailable } from '../errors.ts'
import {
  blockchain,
  blockchains,
  connectionId,
  connectionIds,
  fitsNetworks,
  pricedNetworks,
  type WalletRef,
} from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'

/** A sync that is not older is not done again. */
const FRESH_MS = 30_000
const MAX_WALLETS = 1_000

const query = z.object({
  address: walletParam().optional(),
  connectionId: connectionIds().optional(),
  blockchain: blockchains().optional(),
})

const wallet = z
  .strictObject({
    address: walletParam(),
    connectionId: connectionId().optional(),
    blockchain: blockchain().optional(),
  })
  .transform((item, context): WalletRef => {
    const network = item.connectionId ?? item.blockchain
    if (network && fitsNetworks(item.address, [network])) return { network, address: item.address }
    context.addIssue({ code: 'custom', message: 'invalid', path: [network ? 'address' : 'connectionId'] })
    return z.NEVER
  })
const body = z.strictObject({ wallets: z.array(wallet).min(1).max(MAX_WALLETS) }).optional()

interface Input {
  query: z.output<typeof query>
  body: z.output<typeof body>
}

/** The wallets of either form, each once. Throws 400 for neither form, both, and half of the query form. */
function walletsOf({ query: form, body: list }: Input): WalletRef[] {
  const networks = form.connectionId ?? form.blockchain
  if (list && (form.address !== undefined || networks))
    throw badRequest('Wallets are named in both query and body')
  if (list) {
    const byKey = new Map(list.wallets.map((item) => [`${item.network}:${item.address}`, item]))
    return [...byKey.values()]
  }
  const { address } = form
  if (address === undefined) throw invalidParameter('address')
  if (!networks) throw invalidParameter('connectionId')
  if (!fitsNetworks(address, networks)) throw invalidParameter('address')
  return networks.map((network) => ({ network, address }))
}

export const patchTransactions = defineRoute({
  method: 'PATCH',
  path: '/wallet/transactions',
  tag: 'Wallets',
  summary: 'Starts the sync of transactions',
  description:
    'Wallets in the query, or in the body. Answers `syncing`, and the sync runs on its own: poll GET /wallet/status until `synced`. Answers `synced` when all of it was synced in the last 30 seconds. One sync runs per wallet and network, however often it is asked for.',
  query,
  requestBody: body,
  response: syncStatusSchema,
  credits: 50,
  multiplied: {
    creditsAll: 500,
    items: (input) => pricedNetworks(walletsOf(input).map(({ network }) => network)),
  },
  plan: 'any',
  x402: null,
  async handler(input, { db, now }) {
    const items = walletsOf(input)
    const active = (await readActiveNetworks(db)).map(({ id }) => id)
    const wanted = uniqueSyncs(items, active)
    const states = await readSyncStates(db, [...new Set(items.map(({ address }) => address))])
    const freshFrom = new Date(now().getTime() - FRESH_MS)
    const fresh = new Set(
      states
        .filter(({ syncedAt, requested }) => syncedAt && syncedAt >= freshFrom && !requested)
        .map(({ address, networkId }) => syncId(address, networkId)),
    )
    const commands = wanted
      .filter(({ address, networkId }) => !fresh.has(syncId(address, networkId)))
      .map((sync) => ({
        workflow: 'syncWallet',
        workflowId: syncId(sync.address, sync.networkId),
        input: sync,
      }))
    return { body: { status: commands.length > 0 ? 'syncing' : 'synced' }, asOf: null, commands }
  },
})

const syncId = (address: string, networkId: string) => `sync:${address}:${networkId}`

/**
 * Each wallet on each of its networks once; `all` stands for those that its address is one of. Throws 400 for a network that
 * no source is configured for.
 */
function uniqueSyncs(items: readonly WalletRef[], active: readonly string[]) {
  if (active.length === 0) throw unavailable()
  const networksOf = ({ address, network }: WalletRef): readonly string[] => {
    const kind = parseWalletAddress(address)?.kind
    if (network === 'all') return active.filter((id) => isNetworkId(id) && kindOfNetwork(id) === kind)
    if (!active.includes(network)) throw badRequest(`Network not available: ${network satisfies NetworkId}`)
    return [network]
  }
  const syncs = items.flatMap((item) =>
    networksOf(item).map((networkId) => ({ address: item.address, networkId })),
  )
  if (syncs.length === 0) throw unavailable()
  return [...new Map(syncs.map((sync) => [syncId(sync.address, sync.networkId), sync])).values()]
}
