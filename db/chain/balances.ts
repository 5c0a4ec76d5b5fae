import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import { countsSql } from '../pnl/legs/roles.ts'
import type { WalletCoin } from './openings.ts'

export interface MovedCoin {
  wallet_id: string
  coin_id: string
  raw: string
  movements: number
  first: MovedAt
  /** the first movement since the stored balances after which the sum is below zero; null: none */
  short: MovedAt | null
  /** sum of the openings in it */
  opened: string
  /** where one of them is before other movements */
  opened_before: MovedAt | null
}

interface MovedAt {
  at: string
  block: number
  hash: string
}

/** A coin whose movements are summed up. `since`: the block after which a balance below zero counts as short. */
interface CoinToSum extends WalletCoin {
  since: number
}

/** Sum of the movements of coins of wallets up to a block, without spam. */
export async function movedCoins(
  client: pg.Pool | pg.ClientBase,
  { networkId, coins, toBlock }: { networkId: string; coins: readonly CoinToSum[]; toBlock: number },
): Promise<MovedCoin[]> {
  const { rows } = await (client as pg.Pool).query<MovedCoin>(
    `with asked as (
       select * from unnest($4::bigint[], $5::text[], $6::bigint[]) as asked (wallet_id, coin_id, since)
     ), walked as (
       select wallet_id, coin_id, raw, role, at, tx_index, block_number,
         sum(raw) over (partition by wallet_id, coin_id order by at, tx_index) as total,
         json_build_object('at', at, 'block', block_number, 'hash', block_hash) as place
       from movements
       where wallet_id = any($1) and network_id = $2 and block_number <= $3 and ${countsSql('role')}
         and (wallet_id, coin_id) in (select wallet_id, coin_id from asked)
     ) select wallet_id, coin_id, sum(raw) as raw, count(*)::integer as movements,
       (array_agg(place order by at, tx_index))[1] as first,
       (array_agg(place order by at, tx_index) filter (where total < 0 and block_number > since))[1] as short,
       coalesce(sum(raw) filter (where role = 'opening'), 0) as opened,
       (array_agg(place order by at, tx_index) filter (where role = 'opening' and tx_index < 0))[1] as opened_before
     from walked join asked using (wallet_id, coin_id) group by wallet_id, coin_id`,
    [
      [...new Set(coins.map(({ walletId }) => walletId))],
      networkId,
      toBlock,
      coins.map(({ walletId }) => walletId),
      coins.map(({ coinId }) => coinId),
      coins.map(({ since }) => since),
    ],
  )
  return rows
}

export interface BalanceToWrite {
  coinId: string
  token: string | null
  raw: bigint
  decimals: number | null
}

/** Balances that a chain answered for a wallet at one block, zeroes included. */
export interface WalletBalances {
  walletId: string
  balances: readonly BalanceToWrite[]
  /** all coins of the wallet: stored balances of others are gone */
  isWhole: boolean
}

export interface StoredBalance extends WalletCoin {
  raw: bigint
  blockNumber: number
}

/** The stored balances of wallets in base units. */
export async function storedBalances(
  client: pg.ClientBase,
  { networkId, walletIds }: { networkId: string; walletIds: readonly string[] },
): Promise<StoredBalance[]> {
  const { rows } = await client.query<{
    wallet_id: string
    coin_id: string
    raw: string
    block_number: string
  }>(
    `select wallet_id, coin_id, raw, block_number from balances where network_id = $1 and wallet_id = any($2)`,
    [networkId, walletIds],
  )
  return rows.map((row) => ({
    walletId: row.wallet_id,
    coinId: row.coin_id,
    raw: BigInt(row.raw),
    blockNumber: Number(row.block_number),
  }))
}

/** All coins that wallets hold or that moved, without spam. */
export async function coinsOfWallets(
  pool: pg.Pool,
  { networkId, walletIds }: { networkId: string; walletIds: readonly string[] },
): Promise<WalletCoin[]> {
  if (walletIds.length === 0) return []
  const { rows } = await pool.query<{ wallet_id: string; coin_id: string }>(
    `select wallet_id, coin_id from balances where network_id = $1 and wallet_id = any($2)
     union select wallet_id, coin_id from movements
     where network_id = $1 and wallet_id = any($2) and ${countsSql('role')}`,
    [networkId, walletIds],
  )
  return rows.map((row) => ({ walletId: row.wallet_id, coinId: row.coin_id }))
}

/**
 * Stores balances of wallets. Those of zero are deleted, and so are those of tokens that became another coin, or
 * spam.
 */
export async function writeBalances(
  client: pg.ClientBase,
  input: {
    networkId: string
    block: { number: number; hash: string }
    source: string
    fetchedAt: Date
    wallets: readonly WalletBalances[]
  },
): Promise<void> {
  const { networkId, block, wallets } = input
  const all = wallets.flatMap(({ walletId, balances }) => balances.map((one) => ({ walletId, ...one })))
  const [held, gone] = [all.filter(({ raw }) => raw !== 0n), all.filter(({ raw }) => raw === 0n)]
  const columns = (coins: readonly WalletCoin[]) => [
    coins.map(({ walletId }) => walletId),
    coins.map(({ coinId }) => coinId),
  ]
  await client.query(
    `delete from balances as known where network_id = $1 and wallet_id = any($7::bigint[]) and (
       (wallet_id, coin_id) in (select * from unnest($2::bigint[], $3::text[]))
       or wallet_id = any($4::bigint[])
         and (wallet_id, coin_id) not in (select * from unnest($5::bigint[], $6::text[]))
       or exists (select from tokens where network_id = $1 and address = known.token_address
         and (tokens.coin_id <> known.coin_id or spam_reason is not null)))`,
    [
      networkId,
      ...columns(gone),
      wallets.filter(({ isWhole }) => isWhole).map(({ walletId }) => walletId),
      ...columns(held),
      wallets.map(({ walletId }) => walletId),
    ],
  )
  const update = ['token_address', 'raw', 'decimals', 'block_number', 'block_hash', 'source', 'fetched_at']
  await copyRows(client, {
    table: 'balances',
    columns: ['wallet_id', 'network_id', 'coin_id', ...update],
    key: ['wallet_id', 'network_id', 'coin_id'],
    update,
    rows: held.map((one) => [
      one.walletId,
      networkId,
      one.coinId,
      one.token,
      one.raw,
      one.decimals,
      block.number,
      block.hash,
      input.source,
      input.fetchedAt,
    ]),
  })
}
