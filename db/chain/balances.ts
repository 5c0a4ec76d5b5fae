import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import { countsSql } from '../pnl/legs/roles.ts'
import type { WalletNetwork } from './read-transactions.ts'

export interface MovedCoin {
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

/** Sum of the movements of each coin up to a block, without spam. */
export async function movedCoins(
  client: pg.ClientBase,
  input: WalletNetwork & { toBlock: number },
): Promise<MovedCoin[]> {
  const { rows } = await client.query<MovedCoin>(
    `with walked as (
       select coin_id, raw, role, at, tx_index, block_number, sum(raw) over (partition by coin_id order by at, tx_index) as total,
         json_build_object('at', at, 'block', block_number, 'hash', block_hash) as place
       from movements
       where wallet_id = $1 and network_id = $2 and block_number <= $3 and ${countsSql('role')}
     ) select coin_id, sum(raw) as raw, count(*)::integer as movements,
       (array_agg(place order by at, tx_index))[1] as first,
       (array_agg(place order by at, tx_index) filter (where total < 0 and block_number > (
         select coalesce(max(block_number), -1) from balances where wallet_id = $1 and network_id = $2)))[1] as short,
       coalesce(sum(raw) filter (where role = 'opening'), 0) as opened,
       (array_agg(place order by at, tx_index) filter (where role = 'opening' and tx_index < 0))[1] as opened_before
     from walked group by coin_id`,
    [input.walletId, input.networkId, input.toBlock],
  )
  return rows
}

export interface BalanceToWrite {
  coinId: string
  token: string | null
  raw: bigint
  decimals: number | null
}

/** The stored balances of a wallet on a network in base units, by coin. */
export async function storedBalances(
  client: pg.ClientBase,
  { walletId, networkId }: WalletNetwork,
): Promise<Map<string, bigint>> {
  const { rows } = await client.query<{ coin_id: string; raw: string }>(
    'select coin_id, raw from balances where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )
  return new Map(rows.map(({ coin_id, raw }) => [coin_id, BigInt(raw)]))
}

/** Replaces the stored balances of a wallet on a network. */
export async function writeBalances(
  client: pg.ClientBase,
  input: WalletNetwork & {
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
