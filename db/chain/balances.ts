import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import { countsSql } from '../pnl/legs/roles.ts'
import type { WalletNetwork } from './read-transactions.ts'

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
  input: WalletNetwork & { toBlock: number },
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
