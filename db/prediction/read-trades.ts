import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { PredictionVenue } from './tables.ts'

export interface ServedTrade {
  id: string
  at: Date
  market_slug: string
  market_id: number
  question: string
  venue: PredictionVenue
  side: 'buy' | 'sell'
  outcome: number
  outcome_name: string
  price: string
  size: string
  value_usd: string
  address: string | null
  name: string | null
  avatar_url: string | null
  tx_hash: string | null
}

export interface TradeFilter {
  marketId?: number | undefined
  traderId?: number | undefined
  outcome?: number | undefined
  side?: 'buy' | 'sell' | undefined
  minValue?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function conditionsOf({
  marketId,
  traderId,
  outcome,
  side,
  minValue,
  from,
  to,
}: TradeFilter): RawBuilder<boolean> {
  const all: RawBuilder<boolean>[] = []
  if (marketId !== undefined) all.push(sql`t.market_id = ${marketId}`)
  if (traderId !== undefined) all.push(sql`t.trader_id = ${traderId}`)
  if (outcome !== undefined) all.push(sql`t.outcome = ${outcome}`)
  if (side !== undefined) all.push(sql`t.side = ${side}`)
  if (minValue !== undefined) all.push(sql`t.value_usd >= ${minValue}::numeric`)
  if (from) all.push(sql`t.at >= ${from}`)
  if (to) all.push(sql`t.at < ${to}`)
  return sql.join(all, sql` and `)
}

/** Uses the stored sums of days when only market, outcome and side filter. */
async function countTrades(db: ReadonlyDb, filter: TradeFilter): Promise<number> {
  const { marketId, traderId, outcome, side, minValue, from, to } = filter
  const summed = traderId === undefined && minValue === undefined && !from && !to
  const query = summed
    ? sql<{ n: number }>`
        select coalesce(sum(trades), 0)::int as n from prediction_trade_days
        where market_id = ${marketId} and (${outcome ?? null}::int is null or outcome = ${outcome ?? null}) and (${side ?? null}::text is null or side = ${side ?? null})`
    : sql<{ n: number }>`select count(*)::int as n from prediction_trades t where ${conditionsOf(filter)}`
  return (await readSql(db, query))[0]!.n
}

/**
 * The end of the day in which a page starts, and the number of fills of later days, which need not be skipped
 * one by one: however deep a page of a market is, it starts at the sums of days.
 */
async function startOfPage(
  db: ReadonlyDb,
  filter: TradeFilter,
  offset: number,
): Promise<{ before: Date; passed: number } | null> {
  const { marketId, outcome, side } = filter
  const rows = await readSql<{ before: Date; passed: number }>(
    db,
    sql`select day + interval '1 day' as before, passed::int from (
        select day, sum(sum(trades)) over (order by day desc) - sum(trades) as passed, sum(trades) as trades
        from prediction_trade_days
        where market_id = ${marketId} and (${outcome ?? null}::int is null or outcome = ${outcome ?? null}) and (${side ?? null}::text is null or side = ${side ?? null})
        group by day
      ) as days where passed <= ${offset} order by day limit 1`,
  )
  return rows[0] ?? null
}

/** One page of fills, newest first, and how many there are on all pages. */
export async function readTradePage(
  db: ReadonlyDb,
  filter: TradeFilter & { limit: number; offset: number },
): Promise<{ rows: ServedTrade[]; itemCount: number }> {
  const { limit, offset, marketId, traderId, minValue, from, to } = filter
  const itemCount = await countTrades(db, filter)
  if (offset >= itemCount) return { rows: [], itemCount }
  const jumps =
    offset > 0 && marketId !== undefined && traderId === undefined && minValue === undefined && !from && !to
  const start = jumps ? await startOfPage(db, filter, offset) : null
  const narrowed = start ? { ...filter, to: start.before } : filter
  const rows = await readSql<ServedTrade>(
    db,
    sql`select t.id, t.at, m.slug as market_slug, t.market_id, m.question, m.venue, t.side, t.outcome, o.name as outcome_name,
        t.price, t.size, t.value_usd, p.address, p.name, p.avatar_url, t.tx_hash
      from (
        select * from prediction_trades t where ${conditionsOf(narrowed)}
        order by t.at desc, t.id desc limit ${limit} offset ${offset - (start?.passed ?? 0)}
      ) as t
      join prediction_markets m on m.id = t.market_id
      join prediction_outcomes o on o.market_id = t.market_id and o.position = t.outcome
      left join prediction_traders p on p.id = t.trader_id
      order by t.at desc, t.id desc`,
  )
  return { rows, itemCount }
}
