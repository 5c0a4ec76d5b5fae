import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { isNetworkId, kindOfNetwork, type NetworkId } from '../../db/values/networks.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { badRequest, unavailable } from '../errors.ts'
import type { WalletRef } from '../networks.ts'

export interface WalletSync {
  address: string
  networkId: string
}

export const keyOfSync = ({ address, networkId }: WalletSync) => `${address}:${networkId}`

/**
 * Each wallet and network once; `all` means the active networks of its address type. Throws 400 for a network
 * without a configured source.
 */
export async function syncsOf(db: ReadonlyDb, items: readonly WalletRef[]): Promise<WalletSync[]> {
  const active: readonly string[] = (await readActiveNetworks(db)).map(({ id }) => id)
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
  return [...new Map(syncs.map((sync) => [keyOfSync(sync), sync])).values()]
}
