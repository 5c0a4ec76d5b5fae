import { type Decimal, formatDecimal, isZero, shares, sign, subtract } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'
import type { LotUse, UseSource } from './fold-lots.ts'
import type { CostMethod } from './lot-pool.ts'

// A fold keeps what it acquired and disposed of in USD as one row for each day, which takes 9 % of its processor time by
// average (8,000 transactions of 200 coins in 5 years); a row for each coin and month took 30 %. The views acquisitions
// and disposals unfold them.

/**
 * Null book and transaction: the first price of a coin, at which what is held counts as acquired. `worth` is the
 * market value without fees; null: a fee that came back. `role`: of income, which costs nothing.
 */
type AcquiredText = [
  coinId: string,
  atMs: number,
  seq: number,
  reason: string,
  bookId: string | null,
  txId: string | null,
  quantity: string,
  cost: string,
  worth: string | null,
  role?: string,
]

type DisposedText = [
  coinId: string,
  atMs: number,
  seq: number,
  reason: string,
  bookId: string | null,
  txId: string | null,
  lots: LotPartText[],
]

/**
 * A part of one lot. `sinceMs` and `sinceSeq` are those of its acquisition, null with method `average`. `cost` null:
 * it was never acquired. `fee`: taken off from the proceeds; absent: none. Each number adds up to that of the disposal.
 */
type LotPartText = [
  sinceMs: number | null,
  sinceSeq: number | null,
  quantity: string,
  proceeds: string,
  cost: string | null,
  fee?: string,
]

/** The uses of a UTC day, in order. */
export interface DayUses {
  day: Date
  acquired: AcquiredText[]
  disposed: DisposedText[]
}

/** Bounds the memory of a month with very many transactions. */
const MOST_NOTED = 5_000

/** Notes the acquisitions and disposals of a fold in USD. `begin` names the transaction of those that follow. */
export function createUseLog(method: CostMethod) {
  let days: DayUses[] = []
  let noted = 0
  let endMs = -Infinity
  let from: [bookId: string | null, txId: string | null] = [null, null]
  const dayOf = (atMs: number): DayUses => {
    if (atMs >= endMs) {
      const startMs = Math.floor(atMs / DAY_MS) * DAY_MS
      endMs = startMs + DAY_MS
      days.push({ day: new Date(startMs), acquired: [], disposed: [] })
    }
    return days.at(-1)!
  }
  return {
    begin({ bookId, txId }: { bookId: string | null; txId: string }): void {
      from = [bookId, bookId === null ? null : txId]
    },

    note(use: LotUse, { posting, atMs, seq }: UseSource): void {
      // Carried lots keep their acquisition.
      if (use.reason === null) return
      noted++
      const { acquired, disposed } = dayOf(atMs)
      if (posting.kind === 'acquire') {
        const { income, marketUsd } = posting
        const worth = income ? income.worthUsd : marketUsd
        const [quantity, cost] = [formatDecimal(use.quantity), formatDecimal(use.amount)]
        const own: AcquiredText = [
          use.coinId,
          atMs,
          seq,
          use.reason,
          ...from,
          quantity,
          cost,
          worth === use.amount ? cost : worth && formatDecimal(worth),
        ]
        if (income) own.push(income.role)
        acquired.push(own)
      } else if (posting.kind === 'dispose') {
        const lots = lotParts(method, use, posting.marketUsd)
        disposed.push([use.coinId, atMs, seq, use.reason, ...from, lots])
      }
    },

    /** Whether to store what was noted before an instant: it is much, and its last day has ended. */
    isFull: (atMs: number): boolean => noted >= MOST_NOTED && atMs >= endMs,

    /** Returns the days since the last call. Call it between days. */
    take(): DayUses[] {
      const taken = days
      days = []
      noted = 0
      endMs = -Infinity
      return taken
    },
  }
}

/** Splits a disposal by the lots that it takes. */
function lotParts(method: CostMethod, use: LotUse, market: Decimal | null): LotPartText[] {
  const { lots, missing, amount } = use
  const isUncovered = sign(missing) > 0 || lots.length === 0
  const quantities = [...lots.map(({ quantity }) => quantity), ...(isUncovered ? [missing] : [])]
  const proceeds = shares(amount, quantities)
  const fee = market === null ? null : subtract(market, amount)
  const fees = fee === null || isZero(fee) ? null : shares(fee, quantities)
  return quantities.map((quantity, index): LotPartText => {
    const lot = lots[index]
    const isDated = lot !== undefined && method !== 'average'
    const part: LotPartText = [
      isDated ? lot.atMs : null,
      isDated ? lot.seq : null,
      formatDecimal(quantity),
      formatDecimal(proceeds[index]!),
      lot ? formatDecimal(lot.cost) : null,
    ]
    if (fees) part.push(formatDecimal(fees[index]!))
    return part
  })
}
