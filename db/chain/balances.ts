import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import { countsSql } from '../pnl/legs/roles.ts'
import type { Movement } from './tables.ts'
import type { Origin } from './write-wallet.ts'

interface WalletScope {
  walletId: string
  networkId: string
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
       select from transfers where network_id = $1 and token_address = token.address and kind in ('erc20', 'wrap', 'spl')
         and (from_address = any($2) or to_address = any($2)))
     order by token.address`,
    [input.networkId, input.addresses],
  )
  return rows
}

export interface MovedCoin {
  coin_id: string
  raw: string
  movements: number
  first_at: Date
  first_block: string
  first_block_hash: string
  /** sum of the openings in it */
  opened: string
  /** whether one of them is before the first movement */
  opened_at_start: boolean
}

/** Sum of the movements of each coin up to a block, without spam. */
export async function movedCoins(
  client: pg.ClientBase,
  input: WalletScope & { toBlock: number },
): Promise<MovedCoin[]> {
  const { rows } = await client.query<MovedCoin>(
    `select coin_id, sum(raw) as raw, count(*)::integer as movements, min(at) as first_at,
       (array_agg(block_number order by at, tx_index))[1] as first_block,
       (array_agg(block_hash order by at, tx_index))[1] as first_block_hash,
       coalesce(sum(raw) filter (where role = 'opening'), 0) as opened,
       bool_or(role = 'opening' and tx_index < 0) as opened_at_start
     from movements
     where wallet_id = $1 and network_id = $2 and block_number <= $3 and ${countsSql('role')}
     group by coin_id`,
    [input.walletId, input.networkId, input.toBlock],
  )
  return rows
}

/** Deletes the openings of coins and returns the first instant that changes; null: nothing was deleted. */
export async function deleteOpenings(
  client: pg.ClientBase,
  input: WalletScope & { coinIds: readonly string[] },
): Promise<Date | null> {
  if (input.coinIds.length === 0) return null
  const { rows } = await client.query<{ at: Date; tx_hash: string }>(
    `delete from movements where wallet_id = $1 and network_id = $2 and coin_id = any($3) and role = 'opening'
     returning at, tx_hash`,
    [input.walletId, input.networkId, input.coinIds],
  )
  await client.query(
    `delete from wallet_transactions where wallet_id = $1 and network_id = $2 and type = 'balance' and hash = any($3)`,
    [input.walletId, input.networkId, rows.map((row) => row.tx_hash)],
  )
  return rows.length === 0 ? null : new Date(Math.min(...rows.map((row) => row.at.getTime())))
}

export interface StoredOpening {
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
  { walletId, networkId }: WalletScope,
): Promise<StoredOpening[]> {
  const { rows } = await client.query<Movement>(
    `with gone as (
       delete from wallet_transactions where wallet_id = $1 and network_id = $2 and type = 'balance' returning *
     ) select movement.* from gone join movements as movement on movement.wallet_id = gone.wallet_id
       and movement.network_id = gone.network_id and movement.at = gone.at and movement.tx_index = gone.tx_index
       and movement.tx_hash = gone.hash`,
    [walletId, networkId],
  )
  return rows.map((row) => ({
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

export interface BalanceToWrite {
  coinId: string
  token: string | null
  raw: bigint
  decimals: number | null
}

/** Replaces the stored balances of a wallet on a network. */
export async function writeBalances(
  client: pg.ClientBase,
  input: WalletScope & {
    block: { number: number; hash: string }
    source: string
    fetchedAt: Date
    balances: readonly BalanceToWrite[]
  },
): Promise<void> {
  const { walletId, networkId, block } = input
  await client.query('delete from balances where wallet_id = $1 and network_id = $2 and coin_id <> all($3)', [
    walletId,
    networkId,
    input.balances.map((one) => one.coinId),
  ])
  const update = ['token_address', 'raw', 'decimals', 'block_number', 'block_hash', 'source', 'fetched_at']
  await copyRows(client, {
    table: 'balances',
    columns: ['wallet_id', 'network_id', 'coin_id', ...update],
    key: ['wallet_id', 'network_id', 'coin_id'],
    update,
    rows: input.balances.map((one) => [
      walletId,
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
