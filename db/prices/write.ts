import { sql } from 'kysely'
import { copyRows, stageRows } from '../copy-rows.ts'
import { fiatCoinId } from '../values/fiat-coin.ts'
import { noteChanges } from '../pnl/price-changes.ts'
import type { Transaction } from '../transact.ts'

export type Resolution = 'hour' | 'day'

/** Price points of any coins, and how far the history of each of them then reaches. */
export interface PriceBatch {
  resolution: Resolution
  points: Iterable<{ coinId: string; at: Date; usd: string; source: string }>
  /** First and last instant of `points`, for the partitions; null: there are none. */
  span: { from: Date; to: Date } | null
  histories: readonly { coinId: string; from: Date; to: Date }[]
  fetchedAt: Date
}

const TABLES = { hour: 'price_hours', day: 'price_days' } as const

/**
 * Stores price points with the cursors of their histories. A point that is there with another price is repaired.
 * Each new or changed point makes the P&L of those who hold the coin dirty from its instant on. Returns how many
 * points are new or changed.
 */
export async function storePrices({ db, client }: Transaction, batch: PriceBatch): Promise<number> {
  const { resolution, points, span, histories, fetchedAt } = batch
  let changed = 0
  if (span) {
    await sql`select ensure_price_partitions(${span.from}, ${span.to})`.execute(db)
    const columns = ['coin_id', 'at', 'usd', 'source', 'fetched_at']
    const staged = await stageRows(client, {
      table: TABLES[resolution],
      columns,
      rows: rowsOf(points, fetchedAt),
    })
    const result = await client.query<{ coin_id: string; at: Date; count: number }>(
      `with written as (
         insert into ${TABLES[resolution]} as stored (coin_id, at, usd, source, fetched_at)
         select distinct on (coin_id, at) coin_id, at, usd, source, fetched_at from ${staged} order by coin_id, at
         on conflict (coin_id, at) do update set usd = excluded.usd, source = excluded.source, fetched_at = excluded.fetched_at
         where stored.usd <> excluded.usd
         returning stored.coin_id, stored.at
       ) select coin_id, min(at) as at, count(*)::int as count from written group by coin_id order by coin_id`,
    )
    await client.query(`drop table ${staged}`)
    for (const row of result.rows) changed += row.count
    await noteChanges({ db, changes: result.rows.map((row) => ({ coinId: row.coin_id, from: row.at })) })
  }
  for (const { coinId, from, to } of histories) {
    await sql`
      insert into price_histories (coin_id, resolution, from_at, to_at) values (${coinId}, ${resolution}, ${from}, ${to})
      on conflict (coin_id, resolution) do update set
        from_at = least(price_histories.from_at, excluded.from_at), to_at = greatest(price_histories.to_at, excluded.to_at)
    `.execute(db)
  }
  return changed
}

function* rowsOf(points: PriceBatch['points'], fetchedAt: Date) {
  for (const { coinId, at, usd, source } of points) yield [coinId, at, usd, source, fetchedAt]
}

/**
 * The hourly points of `at` from the quotes in force then, for coins whose hours reach up to it without a hole.
 * A quote up to five minutes younger is taken as well: sources stamp their samples some seconds late.
 */
export async function appendQuotedHour(
  transaction: Transaction,
  input: { at: Date; fetchedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ coin_id: string; usd: string; source: string }>`
    select q.coin_id, q.price_usd as usd, q.source
    from coin_quotes q join price_histories h on h.coin_id = q.coin_id and h.resolution = 'hour'
    where not q.stale and h.to_at >= ${input.at}::timestamptz - interval '1 hour' and h.to_at < ${input.at}
      and q.at > ${input.at}::timestamptz - interval '1 hour' and q.at <= ${input.at}::timestamptz + interval '5 minutes'
    order by q.coin_id`.execute(transaction.db)
  return storePrices(transaction, {
    resolution: 'hour',
    ...pointsAt(input.at, rows),
    fetchedAt: input.fetchedAt,
  })
}

/** The daily points of a UTC midnight from its hourly ones, for coins whose days reach up to it without a hole. */
export async function appendDay(
  transaction: Transaction,
  input: { at: Date; fetchedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ coin_id: string; usd: string; source: string }>`
    select p.coin_id, p.usd, p.source
    from price_hours p join price_histories h on h.coin_id = p.coin_id and h.resolution = 'day'
    where p.at = ${input.at} and h.to_at >= ${input.at}::timestamptz - interval '1 day' and h.to_at < ${input.at}
    order by p.coin_id`.execute(transaction.db)
  return storePrices(transaction, {
    resolution: 'day',
    ...pointsAt(input.at, rows),
    fetchedAt: input.fetchedAt,
  })
}

function pointsAt(at: Date, rows: readonly { coin_id: string; usd: string; source: string }[]) {
  return {
    points: rows.map(({ coin_id, usd, source }) => ({ coinId: coin_id, at, usd, source })),
    span: { from: at, to: at },
    histories: rows.map(({ coin_id }) => ({ coinId: coin_id, from: at, to: at })),
  }
}

/** Reference rates; a rate that is there already stays, a revised one is replaced. Returns rows new or changed. */
export async function storeFiatRates(
  { client, db }: Transaction,
  input: {
    rates: readonly { currency: string; at: Date; perUsd: string }[]
    source: string
    fetchedAt: Date
  },
): Promise<number> {
  const { rates, source, fetchedAt } = input
  const changed = await copyRows(client, {
    table: 'fx_rates',
    columns: ['currency', 'at', 'per_usd', 'source', 'fetched_at'],
    key: ['currency', 'at'],
    update: ['per_usd'],
    stamp: ['source', 'fetched_at'],
    rows: rates.map(({ currency, at, perUsd }) => [currency, at, perUsd, source, fetchedAt]),
  })
  if (changed > 0) {
    const changes = rates.map(({ currency, at }) => ({ coinId: fiatCoinId(currency), from: at }))
    await noteChanges({ db, changes })
  }
  return changed
}
