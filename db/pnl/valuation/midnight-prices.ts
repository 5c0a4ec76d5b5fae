import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { decimal } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'
import { pricesInForce } from './prices-in-force.ts'

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Prices of one coin at the midnights of a window, by index; null before the first price. */
export interface MidnightPrices {
  usd: (Decimal | null)[]
  /** the price in force was a day old or older */
  stale: boolean[]
}

/**
 * Prices in force at the midnights after `afterMs` up to `toMs` (both midnights). One range scan of the daily
 * table finds nearly all of them; missing ones are looked up one by one. `firstMs` returns the instant of a
 * coin's first price; nothing is looked up before it.
 */
export async function midnightPrices(input: {
  db: Db
  coinIds: readonly string[]
  firstMs: (coinId: string) => number
  afterMs: number
  toMs: number
}): Promise<Map<string, MidnightPrices>> {
  const { afterMs, toMs } = input
  const days = (toMs - afterMs) / DAY_MS
  const prices = new Map(
    input.coinIds.map((coinId) => [
      coinId,
      { usd: Array<Decimal | null>(days).fill(null), stale: Array<boolean>(days).fill(false) },
    ]),
  )
  // One text per coin, because the driver parses arrays and rows ten times as slowly.
  const { rows } = await sql<{ coin_id: string; points: string }>`
    select coin_id, string_agg((at at time zone 'UTC')::date - ${day(afterMs)}::date || ':' || usd, ' ') as points
    from price_days
    where coin_id = any(${[...input.coinIds]}::text[]) and at > ${new Date(afterMs)} and at <= ${new Date(toMs)}
      and (at at time zone 'UTC')::time = '00:00'
    group by coin_id`.execute(input.db)
  for (const row of rows) {
    const { usd } = prices.get(row.coin_id)!
    for (const point of row.points.split(' ')) {
      const colon = point.indexOf(':')
      usd[Number(point.slice(0, colon)) - 1] = decimal(point.slice(colon + 1))
    }
  }

  const missing: { coinId: string; atMs: number; index: number }[] = []
  for (const [coinId, { usd }] of prices) {
    const firstMs = input.firstMs(coinId)
    for (let index = 0; index < days; index++) {
      const atMs = afterMs + (index + 1) * DAY_MS
      if (usd[index] === null && atMs >= firstMs) missing.push({ coinId, atMs, index })
    }
  }
  const found = await pricesInForce(input.db, missing)
  missing.forEach(({ coinId, atMs, index }, position) => {
    const price = found[position]
    if (!price) return
    const cells = prices.get(coinId)!
    cells.usd[index] = price.usd
    cells.stale[index] = price.atMs <= atMs - DAY_MS
  })
  return prices
}
