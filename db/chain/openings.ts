import type pg from 'pg'
import type { WalletNetwork } from './read-transactions.ts'
import type { Origin } from './write-wallet.ts'

/** A coin of a wallet. */
export interface WalletCoin {
  walletId: string
  coinId: string
}

/** Deletes the openings of coins and returns the wallet and the instant of each. */
export async function deleteOpenings(
  client: pg.ClientBase,
  { networkId, coins }: { networkId: string; coins: readonly WalletCoin[] },
): Promise<{ walletId: string; at: Date }[]> {
  if (coins.length === 0) return []
  const { rows } = await client.query<{ wallet_id: string; at: Date; tx_hash: string }>(
    `delete from movements as row using unnest($2::bigint[], $3::text[]) as coin (wallet_id, coin_id)
     where row.wallet_id = coin.wallet_id and network_id = $1 and row.coin_id = coin.coin_id and role = 'opening'
     returning row.wallet_id, at, tx_hash`,
    [networkId, coins.map(({ walletId }) => walletId), coins.map(({ coinId }) => coinId)],
  )
  await client.query(
    `delete from wallet_transactions as row using unnest($2::bigint[], $3::text[]) as gone (wallet_id, hash)
     where row.wallet_id = gone.wallet_id and network_id = $1 and type = 'balance' and row.hash = gone.hash`,
    [networkId, rows.map((row) => row.wallet_id), rows.map((row) => row.tx_hash)],
  )
  return rows.map(({ wallet_id, at }) => ({ walletId: wallet_id, at }))
}

interface OpeningRow {
  at: Date
  block_number: string
  block_hash: string
  tx_index: number
  tx_hash: string
  role: string
  coin_id: string
  raw: string
  decimals: number
  price_usd: string | null
  price_at: Date | null
  price_source: string | null
  source: string
}

export interface StoredOpening {
  walletId: string
  origin: Origin
  role: string
  coinId: string
  raw: bigint
  decimals: number
  price: { usd: string; at: Date; source: string } | null
}

/** Deletes the transactions of openings, keeps their movements and returns them. */
export async function deleteOpeningRows(
  client: pg.ClientBase,
  { walletId, networkId }: WalletNetwork,
): Promise<StoredOpening[]> {
  const { rows } = await client.query<OpeningRow>(
    `with gone as (
       delete from wallet_transactions where wallet_id = $1 and network_id = $2 and type = 'balance' returning *
     ) select movement.at, movement.block_number, movement.block_hash, movement.tx_index, movement.tx_hash,
       movement.role, movement.coin_id, movement.raw, movement.decimals, movement.price_usd, movement.price_at,
       movement.price_source, movement.source
     from gone join movements as movement on movement.wallet_id = gone.wallet_id
       and movement.network_id = gone.network_id and movement.at = gone.at and movement.tx_index = gone.tx_index
       and movement.tx_hash = gone.hash`,
    [walletId, networkId],
  )
  return rows.map((row) => ({
    walletId,
    origin: {
      at: row.at,
      blockNumber: Number(row.block_number),
      blockHash: row.block_hash,
      index: row.tx_index,
      hash: row.tx_hash,
      source: row.source,
    },
    role: row.role,
    coinId: row.coin_id,
    raw: BigInt(row.raw),
    decimals: row.decimals,
    price:
      row.price_usd === null ? null : { usd: row.price_usd, at: row.price_at!, source: row.price_source! },
  }))
}
