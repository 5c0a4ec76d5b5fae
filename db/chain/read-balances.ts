import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'
import type { WalletNetwork } from './read-transactions.ts'

export interface BalanceRow {
  walletId: string
  networkId: string
  blockchain: string
  coinId: string
  name: string | null
  symbol: string | null
  icon: string | null
  rank: number | null
  /** Base units. */
  raw: string
  /** Null when the contract does not state it. */
  decimals: number | null
  tokenAddress: string | null
  priceUsd: string | null
  /** time of the price */
  pricedAt: Date | null
  priceChange1d: string | null
  volume24hUsd: string | null
}

/** $1 wallets, $2 networks. Prepared, because planning takes longer than reading. */
const BALANCES = prepared(
  'balances',
  `select balance.wallet_id as "walletId", balance.network_id as "networkId", network.blockchain,
    balance.coin_id as "coinId", balance.raw, balance.decimals, balance.token_address as "tokenAddress",
    coalesce(coin.name, token.name, native.symbol) as name,
    coalesce(upper(coin.symbol), token.symbol, native.symbol) as symbol,
    coin.icon, coin.rank, quote.price_usd as "priceUsd", quote.at as "pricedAt", quote.price_change_1d as "priceChange1d",
    quote.volume_24h_usd as "volume24hUsd"
  -- "offset 0" hides the number of items from the planner, which would otherwise plan every statement again.
  from (select $1::bigint[] as wallets, $2::text[] as networks offset 0) as asked
  cross join unnest(asked.wallets, asked.networks) as wallet (id, network_id)
  join balances as balance on balance.wallet_id = wallet.id and balance.network_id = wallet.network_id
  join networks as network on network.id = balance.network_id
  left join networks as native on native.id = balance.network_id and balance.token_address is null
  left join tokens as token on token.network_id = balance.network_id and token.address = balance.token_address
  left join coins as coin on coin.id = balance.coin_id
  left join coin_quotes as quote on quote.coin_id = balance.coin_id
  where balance.raw > 0 and token.spam_reason is null
  order by balance.raw / power(10::numeric, coalesce(balance.decimals, 0)) * quote.price_usd desc nulls last,
    balance.coin_id, network.position`,
)

/** Balances of wallets on networks without spam, the most valuable first. */
export const readBalances = (db: ReadonlyDb, wallets: readonly WalletNetwork[]): Promise<BalanceRow[]> =>
  readText(db, {
    text: BALANCES,
    values: [wallets.map(({ walletId }) => walletId), wallets.map(({ networkId }) => networkId)],
  })
