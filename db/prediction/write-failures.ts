import { sql } from 'kysely'
import type { Db } from '../schema.ts'

interface Part {
  marketId: number
  part: 'trades' | 'details'
}

/** Sets a market aside, of which the venue refused a part. */
export async function noteMarketFailure(
  db: Db,
  { marketId, part, failure, at }: Part & { failure: string; at: Date },
): Promise<void> {
  await sql`
    insert into prediction_failures (market_id, part, failure, failed_at)
    values (${marketId}, ${part}, ${failure.slice(0, 500)}, ${at})
    on conflict (market_id, part) do update set failure = excluded.failure, failed_at = excluded.failed_at`.execute(
    db,
  )
}

export async function clearMarketFailure(db: Db, { marketId, part }: Part): Promise<void> {
  await sql`delete from prediction_failures where market_id = ${marketId} and part = ${part}`.execute(db)
}

/** Notes that fills of a market are missing. A longer gap replaces those inside of it. */
export async function storeTradeGap(
  db: Db,
  gap: { marketId: number; from: Date | null; to: Date; reason: string; source: string; fetchedAt: Date },
): Promise<void> {
  const { marketId, from, to, reason, source, fetchedAt } = gap
  await sql`
    delete from prediction_trade_gaps where market_id = ${marketId} and to_at <= ${to}
      and (${from}::timestamptz is null or from_at >= ${from})`.execute(db)
  await sql`
    insert into prediction_trade_gaps (market_id, from_at, to_at, reason, source, fetched_at)
    values (${marketId}, ${from}, ${to}, ${reason}, ${source}, ${fetchedAt})
    on conflict (market_id, to_at) do update set
      reason = excluded.reason, source = excluded.source, fetched_at = excluded.fetched_at`.execute(db)
}
