import type { CopyValue } from '../../db/copy-rows.ts'
import {
  type FilledMarket,
  readDailyPrices,
  lockDirtyTraders,
  readFilledMarkets,
  readTraderFills,
  type TraderFill,
} from '../../db/prediction/read-fills.ts'
import { replaceTraders } from '../../db/prediction/write-traders.ts'
import { type Transaction, transact } from '../../db/transact.ts'
import { add, type Decimal, decimal, formatDecimal, multiply, ZERO } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { type FillDay, replayFills } from './replay-fills.ts'
import { POLYMARKET_DATA } from './sources/polymarket-data.ts'
import { complement } from './venue-fields.ts'

/** Recomputes traders with new fills or resolutions from all their fills. Returns the number of traders. */
export async function refreshTraders(
  { pool, now }: Pick<ActivityDeps, 'pool' | 'now'>,
  { limit }: { limit: number },
): Promise<number> {
  return transact(pool, async (transaction) => {
    const traderIds = await lockDirtyTraders(transaction, limit)
    if (traderIds.length === 0) return 0
    await replaceTraders(transaction, {
      traderIds,
      ...(await replayTraders(transaction, { traderIds, at: now() })),
    })
    return traderIds.length
  })
}

/** Computes the rows of traders from their fills and the current prices. */
async function replayTraders(
  { db }: Transaction,
  { traderIds, at }: { traderIds: readonly number[]; at: Date },
): Promise<{ positions: CopyValue[][]; days: CopyValue[][] }> {
  const fills = await readTraderFills(db, traderIds)
  const ids = [...new Set(fills.map(({ marketId }) => marketId))]
  const markets = new Map((await readFilledMarkets(db, ids)).map((market) => [market.id, market]))
  const priceAt = createPrices(await readDailyPrices(db, ids), markets)
  const stamp = [POLYMARKET_DATA, at] as const
  const positions: CopyValue[][] = []
  const days = new Map<string, TraderDay>()
  for (const group of Map.groupBy(fills, ({ traderId, marketId }) => `${traderId} ${marketId}`).values()) {
    const { traderId, marketId } = group[0]!
    const market = markets.get(marketId)!
    const replayed = replayFills({ fills: group, payouts: market.payouts, resolvedAt: market.resolvedAt })
    for (const p of replayed.positions) {
      const amounts = [p.shares, p.costUsd, p.boughtShares, p.boughtUsd, p.realizedUsd].map(formatDecimal)
      positions.push([traderId, marketId, p.outcome, ...amounts, p.status, p.openedAt, p.closedAt, ...stamp])
    }
    addDays(days, { group, market, filled: replayed.days, priceAt, todayMs: at.getTime() })
  }
  const rows = [...days.values()].map((day): CopyValue[] => [
    day.traderId,
    day.category,
    new Date(day.dayMs),
    ...[day.cashUsd, day.paidUsd, day.openValueUsd, day.volumeUsd].map(formatDecimal),
    day.trades,
    ...stamp,
  ])
  return { positions, days: rows }
}

interface TraderDay extends Omit<FillDay, 'shares'> {
  traderId: number
  category: string
  openValueUsd: Decimal
}

interface DaysInput {
  group: readonly TraderFill[]
  market: FilledMarket
  filled: readonly FillDay[]
  priceAt: (marketId: number, outcome: number, atMs: number) => Decimal
  todayMs: number
}

/** Adds a market to the days of a trader: to those with fills, and to those that end with open shares. */
function addDays(days: Map<string, TraderDay>, { group, market, filled, priceAt, todayMs }: DaysInput): void {
  const { traderId } = group[0]!
  const dayAt = (dayMs: number): TraderDay => {
    const key = `${traderId} ${market.category} ${dayMs}`
    let day = days.get(key)
    if (!day) {
      const none = { cashUsd: ZERO, paidUsd: ZERO, openValueUsd: ZERO, volumeUsd: ZERO, trades: 0 }
      days.set(key, (day = { traderId, category: market.category, dayMs, ...none }))
    }
    return day
  }
  filled.forEach((fillDay, index) => {
    const day = dayAt(fillDay.dayMs)
    day.cashUsd = add(day.cashUsd, fillDay.cashUsd)
    day.paidUsd = add(day.paidUsd, fillDay.paidUsd)
    day.volumeUsd = add(day.volumeUsd, fillDay.volumeUsd)
    day.trades += fillDay.trades
    const untilMs = filled[index + 1]?.dayMs ?? todayMs
    for (let dayMs = fillDay.dayMs; dayMs < untilMs; dayMs += DAY_MS) {
      let value = ZERO
      fillDay.shares.forEach((shares, outcome) => {
        if (shares.coefficient > 0n)
          value = add(value, multiply(shares, priceAt(market.id, outcome, dayMs + DAY_MS)))
      })
      if (value.coefficient === 0n) continue
      const open = dayAt(dayMs)
      open.openValueUsd = add(open.openValueUsd, value)
    }
  })
}

/**
 * Price of an outcome at an instant: that of the last day before, else the first known, else the current one.
 */
function createPrices(
  points: readonly { marketId: number; outcome: number; at: Date; price: string }[],
  markets: ReadonlyMap<number, FilledMarket>,
): DaysInput['priceAt'] {
  const series = Map.groupBy(points, ({ marketId, outcome }) => `${marketId} ${outcome}`)
  return (marketId, outcome, atMs) => {
    const market = markets.get(marketId)!
    const flipped = market.prices.length === 2 && outcome === 1
    const known = series.get(`${marketId} ${flipped ? 0 : outcome}`)
    // The end of today lies in the future.
    if (!known || atMs > known.at(-1)!.at.getTime() + DAY_MS) return decimal(market.prices[outcome]!)
    const price = (known.findLast(({ at }) => at.getTime() <= atMs) ?? known[0]!).price
    return decimal(flipped ? complement(price) : price)
  }
}
