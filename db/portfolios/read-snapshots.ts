import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** A coin at a midnight, summed over the requested portfolios. Decimal texts. */
export interface SnapshotCoin {
  at: Date
  coinId: string
  quantity: string
  balanceUsd: string
  /** Price of one; null: unknown. If portfolios have different prices, the mean weighted by quantity. */
  priceUsd: string | null
}

interface Filter {
  portfolioIds: readonly string[]
  /** Both inclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

/**
 * One page of the midnights of which any of the portfolios has a snapshot, oldest first, and the midnight
 * before the page (null: none).
 */
export async function readSnapshotDates(
  db: ReadonlyDb,
  { portfolioIds, from, to, offset, limit }: Filter & { offset: number; limit: number },
): Promise<{ dates: Date[]; previous: Date | null }> {
  const portfolios = sql`portfolio_id = any(${[...portfolioIds]}::uuid[])`
  const rows = await readSql(
    db,
    sql<{ at: Date }>`
      select distinct at from portfolio_snapshots
      where ${portfolios} and at >= ${from ?? new Date(0)} and at <= ${to ?? new Date('9999-01-01')}
      order by at limit ${limit} offset ${offset}`,
  )
  const dates = rows.map(({ at }) => at)
  if (dates.length === 0) return { dates, previous: null }
  const before = await readSql(
    db,
    sql<{
      at: Date | null
    }>`select max(at) as at from portfolio_snapshots where ${portfolios} and at < ${dates[0]!}`,
  )
  return { dates, previous: before[0]?.at ?? null }
}

/** Coins held at these midnights, summed over the portfolios. */
export async function readSnapshotCoins(
  db: ReadonlyDb,
  options: {
    portfolioIds: readonly string[]
    dates: readonly Date[]
    coinIds?: readonly string[] | undefined
  },
): Promise<SnapshotCoin[]> {
  const { coinIds } = options
  const wanted = coinIds ? sql`coin.id = any(${[...coinIds]}::text[])` : sql`true`
  return readSql(
    db,
    sql<SnapshotCoin>`
      select snapshot.at, coin.id as "coinId", sum(coin.quantity) as quantity,
        sum(coin.quantity * coalesce(coin.price, 0)) as "balanceUsd",
        case when min(coin.price) = max(coin.price) then max(coin.price)
          else sum(coin.quantity * coin.price) / nullif(sum(coin.quantity), 0) end as "priceUsd"
      from portfolio_snapshots as snapshot
      cross join lateral unnest(snapshot.coin_ids, snapshot.quantities, snapshot.prices_usd)
        as coin (id, quantity, price)
      where snapshot.portfolio_id = any(${[...options.portfolioIds]}::uuid[])
        and snapshot.at = any(${[...options.dates]}::timestamptz[]) and ${wanted}
      group by snapshot.at, coin.id`,
  )
}
