import { z } from 'zod'
import { walletSync } from '../../db/sync-commands.ts'
import { readSyncStates } from '../../db/chain/read-syncs.ts'
import { badRequest, invalidParameter } from '../errors.ts'
import {
  blockchains,
  connectionIds,
  fitsNetworks,
  keyOfWallet,
  networkIssue,
  pricedNetworks,
  type WalletRef,
} from '../networks.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'
import { walletItem } from '../wallet-item.ts'
import { needsSync, verificationOf } from '../is-fresh.ts'
import { keyOfSync, syncsOf } from './synced-wallets.ts'
import { walletParam } from '../params.ts'

const MAX_WALLETS = 1_000

const query = z.object({
  address: walletParam().optional(),
  connectionId: connectionIds().optional(),
  blockchain: blockchains().optional(),
})

const body = z
  .strictObject({ wallets: z.array(walletItem()).max(MAX_WALLETS).optional() })
  .optional()
  .describe('Wallets to sync. Without wallets the query names them')

interface Input {
  query: z.output<typeof query>
  body: z.output<typeof body>
}

/**
 * The wallets of either form without duplicates. Throws 400 for no form, an incomplete query form, or two forms
 * that name different wallets.
 */
function walletsOf({ query: form, body: list }: Input): WalletRef[] {
  const listed = new Map((list?.wallets ?? []).flat().map((item) => [keyOfWallet(item), item]))
  if (listed.size === 0) return walletsOfQuery(form)
  if (Object.values(form).some((given) => given !== undefined)) {
    const keys = walletsOfQuery(form).map(keyOfWallet)
    if (keys.length !== listed.size || !keys.every((key) => listed.has(key)))
      throw badRequest('Wallets are named in both query and body')
  }
  return [...listed.values()]
}

function walletsOfQuery({ address, connectionId, blockchain }: Input['query']): WalletRef[] {
  const networks = connectionId ?? blockchain
  if (address === undefined)
    throw invalidParameter('address', 'It is required where the body names no wallets')
  if (networks && fitsNetworks(address, networks)) return networks.map((network) => ({ network, address }))
  const { path, message } = networkIssue(networks)
  throw invalidParameter(path[0]!, message)
}

export const patchTransactions = defineRoute({
  method: 'PATCH',
  path: '/wallet/transactions',
  tag: 'Wallets',
  summary: 'Start a sync of wallet transactions',
  description:
    'Pass the wallets in the query or in the body. Returns `syncing` and syncs in the background: poll GET /wallet/status until `synced`. Returns `synced` when everything was synced in the last 30 seconds or is followed with each block; then it only has the balances compared with the chain, at most every five minutes. Repeated requests start no second sync of the same wallet and network.',
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
    const wanted = await syncsOf(db, items)
    const states = await readSyncStates(db, [...new Set(items.map(({ address }) => address))])
    const known = new Map(states.map((state) => [keyOfSync(state), state]))
    const named = wanted.flatMap((sync) => known.get(keyOfSync(sync)) ?? [])
    const syncs = wanted.filter((sync) => needsSync(known.get(keyOfSync(sync)), now()))
    const isDone = syncs.length === 0 && named.every(({ isCurrent }) => isCurrent)
    return {
      body: { status: isDone ? 'synced' : 'syncing' },
      asOf: null,
      commands: [...syncs.map(walletSync), ...verificationOf(named, now())],
    }
  },
})
