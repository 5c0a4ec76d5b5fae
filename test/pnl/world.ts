import type pg from 'pg'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { ledgerOf } from './engine/ledger.ts'
import { insertOpenings } from './engine/insert-openings.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import type { Leg, Match } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { createPriceBook, type PriceBook } from '../../db/pnl/valuation/price-book.ts'
import { decimal, formatDecimal, fromRaw } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { insertCoin } from '../setup/factories.ts'

/** A movement of a test; its other columns follow from these. */
export interface TestMovement {
  walletId: string
  networkId: string
  atMs: number
  txHash: string
  seq: number
  role: Role
  coinId: string
  raw: bigint
  decimals?: number
  priceUsd?: string | null
}

/** Writes movements as the chain area does. */
export async function insertMovements(pool: pg.Pool, movements: readonly TestMovement[]): Promise<void> {
  const column = (pick: (movement: TestMovement) => unknown) => movements.map(pick)
  await pool.query(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id,
       raw, decimals, price_usd, source, fetched_at)
     select *, 'test', now() from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::bigint[], $5::text[], $6::integer[],
       $7::text[], $8::integer[], $9::text[], $10::text[], $11::numeric[], $12::smallint[], $13::numeric[])`,
    [
      column((movement) => movement.walletId),
      column((movement) => movement.networkId),
      column((movement) => new Date(movement.atMs)),
      column((movement) => Math.floor(movement.atMs / 12_000)),
      column((movement) => `0xblock${Math.floor(movement.atMs / 12_000)}`),
      column(() => 0),
      column((movement) => movement.txHash),
      column((movement) => movement.seq),
      column((movement) => movement.role),
      column((movement) => movement.coinId),
      column((movement) => movement.raw.toString()),
      column((movement) => movement.decimals ?? 18),
      column((movement) => movement.priceUsd ?? null),
    ],
  )
}

/** The coins of random histories and the time of their prices. */
export interface TestMarket {
  coinIds: readonly string[]
  from: Date
  to: Date
}

/** Inserts coins with their names at Binance and their daily prices. */
export async function insertMarket(
  { db, pool }: Pick<Connection<Db>, 'db' | 'pool'>,
  market: TestMarket,
  quoteOf: (coinId: string) => { priceUsd?: string; at: Date } = () => ({ at: market.from }),
): Promise<void> {
  const { coinIds, from, to } = market
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(from.getTime() - DAY_MS), to])
  for (const id of coinIds) await insertCoin(db, { id, ...quoteOf(id) })
  await pool.query(
    `insert into exchange_assets (venue, asset, coin_id, source, fetched_at)
     select 'binance', id, id, 'symbol', now() from unnest($1::text[]) as id`,
    [coinIds],
  )
  await seedDailyPrices(pool, market)
}

/**
 * Replaces all prices with prices of every midnight for the coins of the property tests. `late-coin` starts
 * after 30 days; `gap-coin` lacks three days of five; `never-priced` has none.
 */
export async function seedDailyPrices(pool: pg.Pool, market: TestMarket): Promise<void> {
  await pool.query('truncate price_days, price_hours')
  await pool.query(
    `insert into price_days
     select coin, at, (1 + (extract(epoch from at)::bigint / 86400 * length(coin) * 7919) % 100000) / 97.0, 'test', at
     from unnest($1::text[]) as coin, generate_series($2::timestamptz, $3, '1 day') as at
     where (coin <> 'late-coin' or at > $2::timestamptz + interval '30 days')
       and coin <> 'never-priced'
       and (coin <> 'gap-coin' or extract(day from at)::int % 5 < 2)`,
    [market.coinIds, market.from, market.to],
  )
}

export async function putPrice(
  db: Db,
  point: { table: 'price_hours' | 'price_days'; coinId: string; atMs: number; usd: string },
): Promise<void> {
  const { table, coinId, atMs, usd } = point
  await db
    .insertInto(table)
    .values({ coin_id: coinId, at: new Date(atMs), usd, source: 'test', fetched_at: new Date(atMs) })
    .onConflict((conflict) => conflict.columns(['coin_id', 'at']).doUpdateSet({ usd }))
    .execute()
}

/** Everything computed for a wallet on a network, as text for comparisons byte for byte. */
export async function computedRows(pool: pg.Pool, walletId: string, networkId: string): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `with book as (select id from books where wallet_id = $1 and network_id = $2)
     select pl_days::text as row from pl_days join book on id = book_id
     union all select balance_days::text from balance_days join book on id = book_id
     order by 1`,
    [walletId, networkId],
  )
  return rows.map(({ row }) => row)
}

/** Reads the stored prices without the code under test. */
export async function loadPrices(db: Db): Promise<PriceBook> {
  const points = await db
    .selectFrom('price_hours')
    .select(['coin_id', 'at', 'usd'])
    .unionAll(db.selectFrom('price_days').select(['coin_id', 'at', 'usd']))
    .execute()
  return createPriceBook(
    points.map((point) => ({ coinId: point.coin_id, atMs: point.at.getTime(), usd: decimal(point.usd) })),
  )
}

/** Reads the stored prices and movements of a wallet for the pure engine. */
export async function loadWorld(db: Db, walletId: string) {
  const prices = await loadPrices(db)
  const movements = await db.selectFrom('movements').selectAll().where('wallet_id', '=', walletId).execute()
  const legs = movements.map((row): Leg => {
    const atMs = row.at.getTime()
    const inForce = prices.at(row.coin_id, atMs)
    return {
      account: row.network_id,
      txId: row.tx_hash,
      seq: row.seq,
      atMs,
      role: row.role as Role,
      coinId: row.coin_id,
      quantity: fromRaw(BigInt(row.raw), row.decimals),
      priceUsd: row.price_usd !== null ? decimal(row.price_usd) : inForce,
      isUnpriced: inForce === null,
    }
  })
  return {
    legs,
    prices,
    /** USD periods of the pure engine, as text */
    periods(input: {
      accounts: string[]
      matches: readonly Match[]
      fromMs: number
      cutsMs: readonly number[]
    }) {
      const valued = insertOpenings(legs, () => true)
      const ledger = ledgerOf({ legs: valued, matches: input.matches, accounts: new Set(input.accounts) })
      return scopePeriods({ ...input, ledger, prices }).map((period) => ({
        endMs: period.endMs,
        opening: formatDecimal(period.opening),
        closing: formatDecimal(period.closing),
        flow: formatDecimal(period.flow),
      }))
    },
  }
}
