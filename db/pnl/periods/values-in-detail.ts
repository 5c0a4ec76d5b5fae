import type { ReadonlyDb } from '../../schema.ts'
import { add, isZero, multiply, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { DAY_MS, endOfDay } from '../../values/periods.ts'
import type { Book } from '../books.ts'
import { createFlowWalk } from './flow-walk.ts'
import { instantsOf } from '../legs/instants.ts'
import type { Leg } from '../legs/leg.ts'
import { legSource } from '../legs/leg-source.ts'
import { readLegsOf } from '../legs/read-legs.ts'
import type { Holdings } from '../legs/value-unpriced.ts'
import { type FirstPrices, learnFirstPrices, measuredLegs } from '../legs/measured-legs.ts'
import { inUnits } from '../valuation/money.ts'
import type { Money } from '../valuation/money.ts'
import { openingsOf } from './opening-balances.ts'
import { loadPriceBook } from '../valuation/price-book.ts'
import { pricesInForce } from '../valuation/prices-in-force.ts'
import type { PriceInForce } from '../valuation/prices-in-force.ts'
import { orNewestQuote, shownPrices } from '../valuation/shown-prices.ts'
import { UNIT_COINS } from '../../values/coins.ts'

export interface ValuePoint {
  atMs: number
  value: Money
  /** a price was a day old or older */
  stale: boolean
  /** instant of the oldest price in it; null: none, or unknown */
  pricedAtMs: number | null
}

export interface MoneyFlow {
  atMs: number
  money: Money
}

/** An amount of a coin at its price: `usd` is the product. Without a price it is what was paid for the coin. */
export interface Worth {
  coinId: string
  quantity: Decimal
  price: PriceInForce | null
  usd: Decimal
}

/** A value with its positions; their sum is the value in USD. */
export interface DetailedPoint extends ValuePoint {
  positions: Worth[]
}

/** One leg of a flow; `leg` null: what was held of a coin at an unknown cost when it got its first price. */
export interface FlowTerm {
  leg: Pick<Leg, 'txId' | 'seq' | 'role' | 'isCorrected' | 'isHeld'> | null
  coinId: string
  quantity: Decimal
  /** null: the transaction values a coin without a market price */
  priceUsd: Decimal | null
  usd: Decimal
}

/** The flow of one transaction with its terms; their sum is the flow in USD. */
export interface DetailedFlow extends MoneyFlow {
  terms: FlowTerm[]
}

/**
 * Computes values of books at instants without a stored day, and the single flows between them, from the legs of a
 * short stretch: the current day, the latest 24 hours, or the day in which a range starts. `fromMs` is a
 * midnight up to which the days are computed; the instants are in order, after `fromMs` and not after `toMs`. What
 * all books need is read at once.
 */
export async function valuesInDetail(input: {
  db: ReadonlyDb
  books: readonly Book[]
  fromMs: number
  toMs: number
  instantsMs: readonly number[]
}): Promise<{ points: DetailedPoint[]; flows: DetailedFlow[] }[]> {
  const { db, books, fromMs, toMs, instantsMs } = input
  const [openings, stored] = await Promise.all([
    openingsOf({ db, bookIds: books.map(({ id }) => id), atMs: fromMs }),
    // To the end of the day, so that the question stays the same for a day.
    readLegsOf({ db, books, fromMs, toMs: endOfDay(toMs) }),
  ])
  const firsts: FirstPrices = { fromMs, byCoin: new Map() }
  const held = [...openings.values()].flatMap(({ balances }) => [...balances.keys()])
  await learnFirstPrices(db, firsts, new Set([...held, ...stored.flat().map((row) => row.coin_id)]))
  const ledgers = books.map(({ id: bookId }, index) => ({ bookId, rows: stored[index]! }))
  const measured = await measuredLegs({ db, ledgers, firsts })
  const walked = books.map((book, index) => {
    const holdings = openings.get(book.id) ?? { balances: new Map(), paid: new Map() }
    return walkLegs({ book, legs: measured[index]!, holdings, firsts, toMs, instantsMs })
  })
  const flowInstants = walked.flatMap(({ flows }) => flows.map(({ atMs }) => atMs))
  const [points, unitsOfFlows] = await Promise.all([
    priceSnapshots(db, { instantsMs, ledgers: walked.map(({ snapshots }) => snapshots) }),
    unitPrices({ db, instantsMs: flowInstants, pricesOf: pricesInForce }),
  ])
  const units = unitsOfFlows.values()
  return walked.map(({ flows }, index) => ({
    points: points[index]!,
    flows: flows.map(({ usd, ...flow }) => ({ ...flow, money: inUnits(usd, ...units.next().value!) })),
  }))
}

interface UsdFlow {
  atMs: number
  usd: Decimal
  terms: FlowTerm[]
}

/** Applies the legs of a stretch to what a book holds. Returns its flows, and what it holds at each instant. */
function walkLegs(input: {
  book: Book
  legs: readonly Leg[]
  holdings: Holdings
  firsts: FirstPrices
  toMs: number
  instantsMs: readonly number[]
}): { snapshots: Snapshot[]; flows: UsdFlow[] } {
  const { holdings, firsts } = input
  const { balances, paid } = holdings
  const source = legSource(input.book)
  const flows: UsdFlow[] = []
  let terms: FlowTerm[] = []
  const walk = createFlowWalk({
    fromMs: firsts.fromMs,
    holdings,
    firsts,
    mayOwe: source.mayOwe,
    onTerm(leg, usd) {
      const { coinId, quantity, worthUsd } = leg
      terms.push({ leg, coinId, quantity, priceUsd: worthUsd ? null : leg.priceUsd, usd })
    },
    onFlow(atMs, usd) {
      flows.push({ atMs, usd, terms })
      terms = []
    },
    onFirstPrice({ coinId, usd: priceUsd }, quantity) {
      const flow = flows.at(-1)!
      flow.terms.push({ leg: null, coinId, quantity, priceUsd, usd: flow.usd })
    },
  })
  const instants = instantsOf(input.legs, source)
  let next = 0
  const snapshots = [...input.instantsMs, input.toMs].map((atMs) => {
    for (; next < instants.length && instants[next]![0]![0]!.atMs < atMs; next++) walk.apply(instants[next]!)
    walk.advance(atMs)
    const held = [...balances].filter(([, quantity]) => !isZero(quantity))
    return { atMs, held, paid: new Map([...paid].map(([coinId, { usd }]) => [coinId, usd])) }
  })
  snapshots.pop()
  return { snapshots, flows }
}

interface Snapshot {
  atMs: number
  held: [string, Decimal][]
  /** USD by coin without a market price */
  paid: ReadonlyMap<string, Decimal>
}

/** The earlier of two instants that may be unknown. */
export const earliest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/** True for a price that is a day old or older. */
export const isStale = (price: PriceInForce, atMs: number): boolean => price.atMs <= atMs - DAY_MS

interface Priced {
  instantsMs: readonly number[]
  /** What each book holds at the instants. */
  ledgers: readonly Snapshot[][]
}

async function priceSnapshots(db: ReadonlyDb, { instantsMs, ledgers }: Priced): Promise<DetailedPoint[][]> {
  if (instantsMs.length === 0) return ledgers.map(() => [])
  const priceAt = await snapshotPrices(db, { instantsMs, ledgers })
  const units = instantsMs.map((atMs): [Decimal | null, Decimal | null] => [
    priceAt(UNIT_COINS.btc, atMs)?.usd ?? null,
    priceAt(UNIT_COINS.eth, atMs)?.usd ?? null,
  ])
  const pointOf = ({ atMs, held, paid }: Snapshot, index: number): DetailedPoint => {
    const positions: Worth[] = []
    let usd = ZERO
    let stale = false
    let pricedAtMs: number | null = null
    for (const [coinId, quantity] of held) {
      const price = priceAt(coinId, atMs)
      const worth = price ? multiply(quantity, price.usd) : paid.get(coinId)
      if (!worth) continue
      positions.push({ coinId, quantity, price, usd: worth })
      usd = add(usd, worth)
      stale ||= price !== null && isStale(price, atMs)
      pricedAtMs = earliest(pricedAtMs, price?.atMs ?? null)
    }
    return { atMs, value: inUnits(usd, ...units[index]!), stale, pricedAtMs, positions }
  }
  return ledgers.map((snapshots) => snapshots.map(pointOf))
}

/** Reads the hours of a day in one range scan, 25 prices per coin, and instants far apart one by one. */
async function snapshotPrices(
  db: ReadonlyDb,
  { instantsMs, ledgers }: Priced,
): Promise<(coinId: string, atMs: number) => PriceInForce | null> {
  const held = ledgers.flat().flatMap((snapshot) => snapshot.held.map(([coinId]) => coinId))
  const coinIds = [...new Set([...held, ...Object.values(UNIT_COINS)])]
  const [fromMs, toMs] = [instantsMs[0]!, instantsMs.at(-1)!]
  const cells = instantsMs.flatMap((atMs) => coinIds.map((coinId) => ({ coinId, atMs })))
  if (instantsMs.length > 2 && toMs - fromMs <= 2 * DAY_MS) {
    const [book, shown] = await Promise.all([
      loadPriceBook({ db, coinIds, fromMs, toMs }),
      orNewestQuote(db, cells),
    ])
    return (coinId, atMs) => shown({ coinId, atMs }, book.pointAt(coinId, atMs))
  }
  const prices = await shownPrices(db, cells)
  const found = new Map(cells.map(({ coinId, atMs }, index) => [`${coinId} ${atMs}`, prices[index]!]))
  return (coinId, atMs) => found.get(`${coinId} ${atMs}`) ?? null
}

/** Prices of BTC and ETH at each instant: `pricesInForce` of flows, `shownPrices` of values. */
export async function unitPrices({
  db,
  instantsMs,
  pricesOf,
}: {
  db: ReadonlyDb
  instantsMs: readonly number[]
  pricesOf: typeof shownPrices
}): Promise<[Decimal | null, Decimal | null][]> {
  const coinIds = [UNIT_COINS.btc, UNIT_COINS.eth]
  const prices = await pricesOf(
    db,
    instantsMs.flatMap((atMs) => coinIds.map((coinId) => ({ coinId, atMs }))),
  )
  return instantsMs.map((_, index) => [prices[2 * index]?.usd ?? null, prices[2 * index + 1]?.usd ?? null])
}
