import type pg from 'pg'
import type { ChainKind } from '../values/networks.ts'

export interface TokenAsset {
  address: string
  symbol: string | null
  name: string | null
  decimals: number | null
  coin_id: string
  spam_reason: string | null
  /** symbol of the coin; null if the token is not a known coin */
  coin_symbol: string | null
  coin_name: string | null
  icon: string | null
  is_stable: boolean | null
}

/** The tokens of the given contracts with their coins. */
export async function tokenAssets(
  client: pg.Pool | pg.ClientBase,
  input: { networkId: string; addresses: readonly string[] },
): Promise<TokenAsset[]> {
  const { rows } = await (client as pg.Pool).query<TokenAsset>(
    `select token.address, token.symbol, token.name, token.decimals, token.coin_id, token.spam_reason,
       coin.symbol as coin_symbol, coin.name as coin_name, coin.icon, coin.is_stable
     from tokens as token left join coins as coin on coin.id = token.coin_id
     where token.network_id = $1 and token.address = any($2)`,
    [input.networkId, input.addresses],
  )
  return rows
}

export interface HeldToken {
  address: string
  coin_id: string
  decimals: number | null
}

/** Fungible tokens that the wallet ever sent or received, without spam. */
export async function heldTokens(
  pool: pg.Pool | pg.ClientBase,
  input: { networkId: string; addresses: readonly string[] },
): Promise<HeldToken[]> {
  const { rows } = await (pool as pg.Pool).query<HeldToken>(
    `select token.address, token.coin_id, token.decimals from tokens as token
     where token.network_id = $1 and token.spam_reason is null and exists (
       select from transfers where network_id = $1 and token_address = token.address and kind in ('erc20', 'wrap', 'spl', 'issued', 'reward', 'fee')
         and (from_address = any($2) or to_address = any($2)))
     order by token.address`,
    [input.networkId, input.addresses],
  )
  return rows
}

export interface NetworkRow {
  id: string
  blockchain: string
  kind: ChainKind
  /** null for non-EVM networks */
  chain_id: string | null
  coin_id: string
  symbol: string
  decimals: number
  explorer_url: string
  reorg_depth: number
  wrapped_address: string | null
  native_token: string | null
  /** as in `networks` */
  entry_points: string[]
  block_ms: number | null
  head_tag: string
  unproven: string[]
  coin_name: string | null
  icon: string | null
}

export async function networkOf(client: pg.Pool | pg.ClientBase, networkId: string): Promise<NetworkRow> {
  const { rows } = await (client as pg.Pool).query<NetworkRow>(
    `select network.id, network.blockchain, network.kind, network.chain_id, network.coin_id, network.symbol, network.decimals,
       network.explorer_url, network.reorg_depth, network.wrapped_address, network.native_token, network.entry_points,
       network.block_ms, network.head_tag, network.unproven,
       coin.name as coin_name, coin.icon
     from networks as network left join coins as coin on coin.id = network.coin_id
     where network.id = $1`,
    [networkId],
  )
  const network = rows[0]
  if (!network) throw new Error(`unknown network ${networkId}`)
  return network
}
