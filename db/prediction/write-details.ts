import { sql } from 'kysely'
import { appendRows, copyRows } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import type { Transaction } from '../transact.ts'
import { storeTraders, type StoredPerson } from './write-trades.ts'

interface Stamp {
  marketId: number
  source: string
  fetchedAt: Date
}

type Levels = readonly (readonly [price: string, size: string])[]

/** Replaces the order books of a market. */
export async function storeOrderBooks(
  db: Db,
  input: Stamp & {
    books: readonly { outcome: number; bids: Levels; asks: Levels; tickSize: string | null; at: Date }[]
  },
): Promise<void> {
  const { marketId, books, source, fetchedAt } = input
  for (const { outcome, bids, asks, tickSize, at } of books)
    await sql`
      insert into prediction_books (market_id, outcome, bids, asks, tick_size, at, source, fetched_at)
      values (${marketId}, ${outcome}, ${JSON.stringify(bids)}::jsonb, ${JSON.stringify(asks)}::jsonb, ${tickSize}, ${at}, ${source}, ${fetchedAt})
      on conflict (market_id, outcome) do update set bids = excluded.bids, asks = excluded.asks,
        tick_size = excluded.tick_size, at = excluded.at, source = excluded.source, fetched_at = excluded.fetched_at`.execute(
      db,
    )
}

/** Replaces the largest holders of a market. */
export async function storeHolders(
  transaction: Transaction,
  input: Stamp & { holders: readonly { outcome: number; shares: string; trader: StoredPerson }[] },
): Promise<void> {
  const { marketId, holders, source, fetchedAt } = input
  const people = holders.map(({ trader }) => trader)
  const ids = await storeTraders(transaction, { people, source, fetchedAt })
  await sql`delete from prediction_holders where market_id = ${marketId}`.execute(transaction.db)
  const ranks = new Map<number, number>()
  await copyRows(transaction.client, {
    table: 'prediction_holders',
    columns: ['market_id', 'outcome', 'rank', 'trader_id', 'shares', 'source', 'fetched_at'],
    key: ['market_id', 'outcome', 'rank'],
    rows: holders
      .toSorted((a, b) => Number(b.shares) - Number(a.shares))
      .map(({ outcome, shares, trader }) => {
        const rank = (ranks.get(outcome) ?? 0) + 1
        ranks.set(outcome, rank)
        return [marketId, outcome, rank, ids.get(trader.address)!, shares, source, fetchedAt]
      }),
  })
}

/**
 * Stores prices of the outcomes of a market at round instants. `isFirst`: none of them is stored yet. Returns
 * the number of new or changed points.
 */
export async function storePoints(
  { client }: Transaction,
  input: Stamp & {
    isFirst: boolean
    points: readonly { outcome: number; minutes: number; at: Date; price: string }[]
  },
): Promise<number> {
  const { marketId, isFirst, points, source, fetchedAt } = input
  const rows = points.map(({ outcome, minutes, at, price }) => {
    return [marketId, outcome, minutes, at, price, source, fetchedAt]
  })
  const target = {
    table: 'prediction_prices',
    columns: ['market_id', 'outcome', 'minutes', 'at', 'price', 'source', 'fetched_at'],
    key: ['market_id', 'outcome', 'minutes', 'at'],
    update: ['price'],
    stamp: ['source', 'fetched_at'],
  }
  return isFirst ? appendRows(client, { ...target, rows: () => rows }) : copyRows(client, { ...target, rows })
}

/** Records that the details of a market were read, and its volume at that time. */
export async function storeDetailState(
  db: Db,
  input: {
    marketId: number
    statedVolume: string
    openInterestUsd: string | null
    detailAt: Date
    pricesAt: Date | null
  },
): Promise<void> {
  const { marketId, statedVolume, openInterestUsd, detailAt, pricesAt } = input
  await sql`
    insert into prediction_trade_states (market_id, detail_volume_usd, detail_at, prices_at)
    values (${marketId}, ${statedVolume}, ${detailAt}, ${pricesAt})
    on conflict (market_id) do update set detail_volume_usd = excluded.detail_volume_usd,
      detail_at = excluded.detail_at, prices_at = excluded.prices_at`.execute(db)
  await sql`
    update prediction_markets set open_interest_usd = ${openInterestUsd}::numeric
    where id = ${marketId} and open_interest_usd <> ${openInterestUsd}::numeric`.execute(db)
}
