import type { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type CoinMonth, readCoinMonths } from '../../db/pnl/lots/coin-months.ts'
import { explainMonth } from '../../db/pnl/explain/explain-month.ts'
import { type InUnits, inUnits, readCoinStates, readMoves } from '../../db/pnl/lots/fold-rows.ts'
import { findFold, readMethod } from '../../db/pnl/lots/folds.ts'
import { originOf, type Origin } from '../../db/pnl/explain/price-origins.ts'
import { shownPrices } from '../../db/pnl/valuation/shown-prices.ts'
import { type CoinRow, readCoins } from '../../db/pnl/lots/read-coins.ts'
import { UNIT_COINS } from '../../db/values/coins.ts'
import { formatDecimal, subtract, sum } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { invalidParameter, notSynced } from '../errors.ts'
import { figureOf, lastTradeOf, shownChange, shownTotals, wholeOf } from './explain-coin-figure.ts'
import { type coinSchema, EQUATIONS } from './explain-coin-schema.ts'
import { shownEntries, shownLot, shownPrice, text, triple } from './explain-entries.ts'
import type { NamedSet } from './explain-point.ts'
import type { ExplainQuery } from './explain-shape.ts'
import { shownCoins } from '../chain/holdings.ts'

type Explained = z.output<typeof coinSchema>

/** Later than any month. */
const END = new Date('9999-01-01')
const NEVER_HELD = 'It must be a coin that was held'

/**
 * Explains one row of the list of coins. Throws 400 for a coin that was never held, and 409 when nothing is
 * folded yet or the stored fold lacks a recent change.
 */
export async function explainCoin(
  db: ReadonlyDb,
  options: { query: ExplainQuery & { coinId: string }; now: Date; named: NamedSet },
): Promise<{ body: Explained; priceAsOf: Date | null }> {
  const { query, now, named } = options
  const { coinId, month } = query
  if (named.set.books.length === 0) throw invalidParameter('coinId', NEVER_HELD)
  const foldId = await findFold(db, named.set)
  const method = foldId === null ? undefined : await readMethod(db, foldId)
  if (foldId === null || !method) throw notSynced()
  const nowMs = now.getTime()
  const [row] = await readCoins(db, { foldId, coinId, nowMs })
  if (!row) throw invalidParameter('coinId', NEVER_HELD)
  const pageOf = <T>(items: readonly T[]): T[] =>
    items.slice((query.page - 1) * query.limit, query.page * query.limit)
  const months = await readCoinMonths(db, { foldId, coinId })
  // A concurrent fold may have changed the rows between the reads; the client retries after the 409.
  if (!addsUp(row, months)) throw notSynced()
  if (month && !months.some(({ monthMs }) => monthMs === month.getTime()))
    throw invalidParameter('month', 'It must be a month with entries of the coin, as in `months`')
  const entries = month && (await explainMonth(db, { foldId, coinId, month }))
  if (entries === null) throw notSynced()
  const entry = query.entry && entries?.[query.entry - 1]
  if (query.entry && !entry)
    throw invalidParameter('entry', 'It must be the number of an entry of `month`, which is required too')
  const [shown] = await shownCoins(db, [row], { page: 1, limit: 1 })
  const body = {
    figure: { coinId, method, ...figureOf(row), shown: shown! },
    equations: EQUATIONS,
    ...(await pricesOf(db, { coinId, nowMs })),
    totals: { ...shownChange(inUnits((unit) => wholeOf(row.state[unit], months, unit))) },
    months: {
      count: months.length,
      items: pageOf(months).map(({ monthMs, change }) => ({
        month: new Date(monthMs).toISOString().slice(0, 7),
        ...shownChange(change),
      })),
    },
    openLots: await openLots(db, { foldId, row, pageOf }),
    lastTrade: lastTradeOf(row.state),
    hour24: await hour24(db, { foldId, row, nowMs, pageOf }),
    entries: entries
      ? {
          count: entries.length,
          items: await shownEntries(db, {
            nameOf: named.nameOf,
            entries: entry ? [entry] : pageOf(entries),
            isDated: method !== 'average',
            lotsOf: (lots) => (entry ? pageOf(lots) : lots.slice(0, query.limit)),
          }),
        }
      : null,
  }
  return { body, priceAsOf: row.pricedAt }
}

function addsUp({ state }: CoinRow, months: readonly CoinMonth[]): boolean {
  return (['cost', 'disposedCost', 'quantity'] as const).every((name) => {
    const whole = sum(months.map(({ change }) => change.usd[name]))
    return formatDecimal(whole) === formatDecimal(state.usd[name])
  })
}

async function pricesOf(db: ReadonlyDb, { coinId, nowMs }: { coinId: string; nowMs: number }) {
  const ids = [coinId, UNIT_COINS.btc, UNIT_COINS.eth]
  const cells = [nowMs, nowMs - DAY_MS].flatMap((atMs) => ids.map((id) => ({ coinId: id, atMs })))
  const found = await shownPrices(db, cells)
  const shown = found.map((price): ReturnType<typeof shownPrice> | null => {
    const of: Origin | null = price && originOf(price)
    return of && shownPrice(of)
  })
  return {
    prices: { now: shown[0]!, dayAgo: shown[3]! },
    units: { now: { BTC: shown[1]!, ETH: shown[2]! }, dayAgo: { BTC: shown[4]!, ETH: shown[5]! } },
  }
}

interface Paged {
  foldId: string
  row: CoinRow
  pageOf: <T>(items: readonly T[]) => T[]
}

async function openLots(db: ReadonlyDb, { foldId, row, pageOf }: Paged): Promise<Explained['openLots']> {
  const { coinId } = row
  const states = (await readCoinStates(db, { foldId, coinId, before: END })).get(coinId)!
  const of = (unit: keyof InUnits<unknown>) => {
    const { lots, quantity, cost } = states[unit]
    const whole = { acquiredAt: null, count: text(quantity), cost: text(cost) }
    if (lots === null) return { count: 1, items: pageOf([whole]) }
    return { count: lots.length, items: pageOf(lots).map((lot) => shownLot(lot, true)) }
  }
  return { USD: of('usd'), BTC: of('btc'), ETH: of('eth') }
}

async function hour24(
  db: ReadonlyDb,
  { foldId, row, nowMs, pageOf }: Paged & { nowMs: number },
): Promise<Explained['hour24']> {
  const moves = await readMoves(db, { foldId, from: new Date(nowMs - DAY_MS) })
  const own = inUnits((unit) => moves[unit].filter(({ coinId }) => coinId === row.coinId))
  const { recent, item } = row
  const indexes = pageOf(own.usd.map((_, index) => index))
  return {
    dayAgo: {
      count: text(subtract(item.usd.count, recent.usd.quantity)),
      value: triple(inUnits((unit) => item[unit].base.hour24)),
    },
    acquired: triple(inUnits((unit) => recent[unit].acquired)),
    disposed: triple(inUnits((unit) => recent[unit].disposed)),
    bought: shownTotals(inUnits((unit) => recent[unit].bought)),
    sold: shownTotals(inUnits((unit) => recent[unit].sold)),
    moves: {
      count: own.usd.length,
      items: indexes.map((index) => {
        const { atMs, quantity, isTrade, paid } = own.usd[index]!
        return {
          at: new Date(atMs).toISOString(),
          count: text(quantity),
          isTrade,
          paidUsd: text(paid),
          amount: triple(inUnits((unit) => own[unit][index]!.amount)),
          market: triple(inUnits((unit) => own[unit][index]!.market)),
        }
      }),
    },
  }
}
