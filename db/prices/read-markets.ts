import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { decimal, divide, formatDecimal, isZero, multiply, subtract } from '../values/decimal.ts'

export interface MarketTotals {
  at: Date
  market_cap_usd: string
  volume_24h_usd: string
  btc_dominance: string
  /** Changes over 24 hours in percent, of the dominance in percentage points; null: unknown. */
  market_cap_change: string | null
  volume_change: string | null
  btc_dominance_change: string | null
}

/**
 * The newest market totals. Changes are computed from the stored totals of the same source 24 to 26 hours
 * before, or taken from the source when there are none.
 */
export async function readMarketTotals(db: ReadonlyDb): Promise<MarketTotals | null> {
  const rows = await readSql(
    db,
    sql<
      MarketTotals & {
        cap_before: string | null
        volume_before: string | null
        dominance_before: string | null
      }
    >`
    select newest.at, newest.market_cap_usd, newest.volume_24h_usd, newest.btc_dominance,
      newest.market_cap_change, newest.volume_change, newest.btc_dominance_change,
      before.market_cap_usd as cap_before, before.volume_24h_usd as volume_before, before.btc_dominance as dominance_before
    from (select * from market_totals order by at desc limit 1) newest
    left join lateral (
      select * from market_totals past
      where past.source = newest.source and past.at <= newest.at - interval '24 hours' and past.at > newest.at - interval '26 hours'
      order by past.at desc limit 1
    ) before on true`,
  )
  const [row] = rows
  if (!row) return null
  const { cap_before, volume_before, dominance_before, ...totals } = row
  return {
    ...totals,
    market_cap_change: changePercent(row.market_cap_usd, cap_before) ?? row.market_cap_change,
    volume_change: changePercent(row.volume_24h_usd, volume_before) ?? row.volume_change,
    btc_dominance_change:
      dominance_before === null
        ? row.btc_dominance_change
        : formatDecimal(subtract(decimal(row.btc_dominance), decimal(dominance_before))),
  }
}

function changePercent(now: string, before: string | null): string | null {
  if (before === null || isZero(decimal(before))) return null
  const difference = subtract(decimal(now), decimal(before))
  return formatDecimal(divide(multiply(difference, decimal('100')), decimal(before)))
}
