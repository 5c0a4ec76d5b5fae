import type pg from 'pg'
import { copyRows } from '../../../db/copy-rows.ts'
import type { CopyValue } from '../../../db/copy-rows.ts'
import type { Leg } from '../../../db/pnl/legs/leg.ts'
import { transact } from '../../../db/transact.ts'
import { HOUR_MS } from '../../../db/values/periods.ts'
import { COINS, coinName, DAYS, FROM_MS, HOURS, TO_MS } from './history.ts'

/**
 * Inserts daily prices of all coins, hourly prices of the units of account for five years, and hourly prices
 * of all coins for the last two days.
 */
export async function seedPrices(pool: pg.Pool, prices: readonly Float64Array[]): Promise<void> {
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(FROM_MS), new Date(TO_MS)])
  const columns = ['coin_id', 'at', 'usd', 'source', 'fetched_at']
  const point = (coin: number, hour: number): CopyValue[] => {
    const at = new Date(FROM_MS + hour * HOUR_MS)
    return [coinName(coin), at, prices[coin]![hour]!, 'bench', at]
  }
  function* days() {
    for (let coin = 0; coin < COINS; coin++) for (let day = 0; day <= DAYS; day++) yield point(coin, day * 24)
  }
  function* hours() {
    for (let coin = 0; coin < COINS; coin++)
      for (let hour = coin < 2 ? 0 : HOURS - 48; hour < HOURS; hour++) yield point(coin, hour)
  }
  const key = ['coin_id', 'at']
  await transact(pool, ({ client }) => copyRows(client, { table: 'price_days', columns, key, rows: days() }))
  await transact(pool, ({ client }) =>
    copyRows(client, { table: 'price_hours', columns, key, rows: hours() }),
  )
}

/** Inserts a rate of the euro for each day. */
export async function seedEuro(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into fx_rates (currency, at, per_usd, source, fetched_at)
     select 'EUR', at, 0.8 + extract(day from at) / 200, 'bench', at
     from generate_series($1::timestamptz, $2::timestamptz, '1 day') as at`,
    [new Date(FROM_MS), new Date(TO_MS)],
  )
}

export const MOVEMENT_COLUMNS = [
  'wallet_id',
  'network_id',
  'at',
  'block_number',
  'block_hash',
  'tx_index',
  'tx_hash',
  'seq',
  'role',
  'coin_id',
  'raw',
  'decimals',
  'price_usd',
  'source',
  'fetched_at',
]

export function movementRow(walletId: string, leg: Leg): CopyValue[] {
  const at = new Date(leg.atMs)
  const price = leg.priceUsd!
  const usd = Number(price.coefficient) / 10 ** price.scale
  return [
    walletId,
    leg.account,
    at,
    Math.floor(leg.atMs / 12_000),
    '0xblock',
    0,
    leg.txId,
    leg.seq,
    leg.role,
    leg.coinId,
    leg.quantity.coefficient,
    leg.quantity.scale,
    usd,
    'bench',
    at,
  ]
}

/** Inserts the wallet's movements in steps, as a sync does. */
export async function seedMovements(
  pool: pg.Pool,
  walletId: string,
  transactions: readonly Leg[][],
): Promise<void> {
  const key = ['wallet_id', 'network_id', 'at', 'tx_index', 'tx_hash', 'seq']
  const STEP = 25_000
  for (let from = 0; from < transactions.length; from += STEP) {
    const rows = transactions
      .slice(from, from + STEP)
      .flatMap((legs) => legs.map((leg) => movementRow(walletId, leg)))
    await transact(pool, ({ client }) =>
      copyRows(client, { table: 'movements', columns: MOVEMENT_COLUMNS, key, rows }),
    )
  }
}

/** Inserts a wallet with ten times the transactions over the same time. */
export async function seedTenfold(pool: pg.Pool, input: { from: string; to: string }): Promise<void> {
  for (let copy = 0; copy < 10; copy++) {
    await pool.query(
      `insert into movements (${MOVEMENT_COLUMNS.join(', ')})
       select $2, network_id, at + $3 * interval '100 milliseconds', block_number, block_hash, tx_index,
         tx_hash || '-' || $3::text, seq, role, coin_id, raw, decimals, price_usd, source, fetched_at
       from movements where wallet_id = $1`,
      [input.from, input.to, copy],
    )
  }
}
