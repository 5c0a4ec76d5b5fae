import type pg from 'pg'
import { networkOf, tokenAssets } from '../../db/chain/wallet-assets.ts'
import type { NetworkRow, TokenAsset } from '../../db/chain/wallet-assets.ts'
import type { ChainKind } from '../../db/values/networks.ts'

/** An asset of a network. */
export interface Asset {
  coinId: string
  symbol: string
  name: string
  icon: string | null
  /** 0 if the contract does not state it: amounts are then in base units */
  decimals: number
  isIdentified: boolean
  isStable: boolean
  isSpam: boolean
}

/** A network and the assets of transfers on it; `token` is null for the native asset. */
export interface NetworkContext {
  network: {
    id: string
    blockchain: string
    kind: ChainKind
    explorerUrl: string
    wrappedAddress: string | null
  }
  assetOf: (token: string | null) => Asset
}

export interface WalletContext extends NetworkContext {
  /** every address that belongs to the wallet */
  own: ReadonlySet<string>
}

/** Loads the native asset and the given token contracts as stored. */
export async function loadContext(
  client: pg.Pool | pg.ClientBase,
  input: { networkId: string; tokens: readonly string[] },
): Promise<NetworkContext> {
  const { networkId } = input
  const network = await networkOf(client, networkId)
  const rows = await tokenAssets(client, { networkId, addresses: input.tokens })
  const native = nativeAsset(network)
  const assets = new Map(rows.map((row) => [row.address, tokenAsset(row)]))
  return {
    network: {
      id: network.id,
      blockchain: network.blockchain,
      kind: network.kind,
      explorerUrl: network.explorer_url,
      wrappedAddress: network.wrapped_address,
    },
    assetOf: (token) => {
      if (token === null) return native
      const asset = assets.get(token)
      if (!asset) throw new Error(`${networkId}: token ${token} is not identified`)
      return asset
    },
  }
}

function nativeAsset(network: NetworkRow): Asset {
  return {
    coinId: network.coin_id,
    symbol: network.symbol,
    name: network.coin_name ?? network.symbol,
    icon: network.icon,
    decimals: network.decimals,
    isIdentified: true,
    isStable: false,
    isSpam: false,
  }
}

function tokenAsset(row: TokenAsset): Asset {
  return {
    coinId: row.coin_id,
    symbol: row.coin_symbol ?? row.symbol ?? '?',
    name: row.coin_name ?? row.name ?? 'Unknown token',
    icon: row.icon,
    decimals: row.decimals ?? 0,
    isIdentified: row.coin_symbol !== null,
    isStable: row.is_stable ?? false,
    isSpam: row.spam_reason !== null,
  }
}
