import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
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

/** Balances of wallets on networks without spam, the most valuable first. */
export async function readBalances(db: ReadonlyDb, wallets: readonly WalletNetwork[]): Promise<BalanceRow[]> {
  return readSql(
    db,
    sql<BalanceRow>`
      select balance.wallet_id as "walletId", balance.network_id as "networkId", network.blockchain,
        balance.coin_id as "coinId", balance.raw, balance.decimals, balance.token_address as "tokenAddress",
        coalesce(coin.name, token.name, native.symbol) as name,
        coalesce(upper(coin.symbol), token.symbol, native.symbol) as symbol,
        coin.icon, coin.rank, quote.price_usd as "priceUsd", quote.at as "pricedAt", quote.price_change_1d as "priceChange1d",
        quote.volume_24h_usd as "volume24hUsd"
      from unnest(${wallets.map(({ walletId }) => walletId)}::bigint[],
        ${wallets.map(({ networkId }) => networkId)}::text[]) as wallet (id, network_id)
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
}
