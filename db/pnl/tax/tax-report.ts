import { add, type Decimal, multiply, subtract, sum, ZERO } from '../../values/decimal.ts'
import type { CostMethod } from '../lots/lot-pool.ts'
import { COUNTRIES, type Country, type CountryId } from './countries.ts'

/** A part of a disposal, from one lot, in USD. */
export interface TaxDisposal {
  coinId: string
  disposedAt: Date
  /** null: it was never acquired, or method `average`, which keeps no dates */
  acquiredAt: Date | null
  reason: string
  quantity: Decimal
  /** after the fee */
  proceedsUsd: Decimal
  costUsd: Decimal
  feeUsd: Decimal
  uncovered: boolean
  bookId: string
  txId: string
  acquiredBookId: string | null
  acquiredTxId: string | null
  /** it arrived in another portfolio of the account */
  isOwnTransfer: boolean
}

/** Coins received for nothing, with their market value in USD. */
export interface TaxIncome {
  coinId: string
  acquiredAt: Date
  role: string
  quantity: Decimal
  worthUsd: Decimal
  bookId: string
  txId: string
}

export type Term = 'short' | 'long' | 'unknown'
export const TERMS: readonly Term[] = ['short', 'long', 'unknown']

interface Sums {
  proceeds: Decimal
  cost: Decimal
  gain: Decimal
}

export type ReportedDisposal = TaxDisposal & Sums & { fee: Decimal; term: Term }
export type ReportedIncome = TaxIncome & { worth: Decimal }

export interface TaxReport {
  country: CountryId
  year: number
  currency: string
  method: CostMethod
  disposals: ReportedDisposal[]
  income: ReportedIncome[]
  totals: Record<Term | 'all', Sums & { disposals: number }>
  incomeTotal: Decimal
  /** what in this report needs the reader's attention */
  warnings: string[]
  /** what the country's rules need beyond it */
  notes: string[]
}

const NOT_ADVICE =
  'This is an account of stored transactions, not tax advice. Days are those of UTC. Check it with someone who knows the rules.'

/**
 * Builds the report of a year from its disposals and income. `rateAt` gives the price of one USD in the currency:
 * proceeds convert at the disposal and cost at the acquisition, so with another currency than USD every covered lot
 * needs its date. Throws RangeError for a country without a report.
 */
export function taxReport(input: {
  country: CountryId
  year: number
  currency: string
  method: CostMethod
  disposals: readonly TaxDisposal[]
  income: readonly TaxIncome[]
  rateAt: ((atMs: number) => Decimal) | null
}): TaxReport {
  const { year, currency, method, rateAt } = input
  const country: Country = COUNTRIES[input.country]
  if (country.unsupported !== undefined) throw new RangeError(country.unsupported)
  const at = (usd: Decimal, instant: Date) => (rateAt ? multiply(usd, rateAt(instant.getTime())) : usd)
  const disposals = input.disposals.map((one): ReportedDisposal => {
    const proceeds = at(one.proceedsUsd, one.disposedAt)
    const cost = at(one.costUsd, one.acquiredAt ?? one.disposedAt)
    return {
      ...one,
      proceeds,
      cost,
      gain: subtract(proceeds, cost),
      fee: at(one.feeUsd, one.disposedAt),
      term: termOf(one, country),
    }
  })
  const income = input.income.map((one) => ({ ...one, worth: at(one.worthUsd, one.acquiredAt) }))
  const of = (term: Term) => totalOf(disposals.filter((one) => one.term === term))
  return {
    country: input.country,
    year,
    currency,
    method,
    disposals,
    income,
    totals: { short: of('short'), long: of('long'), unknown: of('unknown'), all: totalOf(disposals) },
    incomeTotal: sum(income.map(({ worth }) => worth)),
    warnings: warningsOf({ country, method, disposals, income }),
    notes: [...country.notes, NOT_ADVICE],
  }
}

function totalOf(disposals: readonly ReportedDisposal[]): Sums & { disposals: number } {
  const total = { proceeds: ZERO, cost: ZERO, gain: ZERO, disposals: disposals.length }
  for (const { proceeds, cost, gain } of disposals) {
    total.proceeds = add(total.proceeds, proceeds)
    total.cost = add(total.cost, cost)
    total.gain = add(total.gain, gain)
  }
  return total
}

/** By the calendar and not by days, because a year with a leap day is 366 days long. */
function termOf({ acquiredAt, disposedAt }: TaxDisposal, { longAfterYears }: Country): Term {
  if (!acquiredAt) return 'unknown'
  return dayOf(disposedAt) > dayYearsAfter(acquiredAt, longAfterYears) ? 'long' : 'short'
}

const dayOf = (instant: Date): number =>
  Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate())

/** The same day of a later year; the last of February for its 29th. */
function dayYearsAfter(instant: Date, years: number): number {
  const [year, month] = [instant.getUTCFullYear() + years, instant.getUTCMonth()]
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(instant.getUTCDate(), lastOfMonth))
}

function warningsOf(input: {
  country: Country
  method: CostMethod
  disposals: readonly ReportedDisposal[]
  income: readonly ReportedIncome[]
}): string[] {
  const { country, method, disposals, income } = input
  const count = (test: (one: ReportedDisposal) => boolean) => disposals.filter(test).length
  const uncovered = count((one) => one.uncovered)
  const undated = count((one) => one.term === 'unknown' && !one.uncovered)
  const sends = count((one) => one.reason === 'send' && !one.isOwnTransfer)
  const transfers = count((one) => one.isOwnTransfer)
  const taxed = income.length
  return [
    ...(country.methods.includes(method)
      ? []
      : [
          `The cost method is ${method}. ${country.name} knows ${country.methods.join(', ')}: choose one of them.`,
        ]),
    ...(uncovered > 0
      ? [
          `${uncovered} disposals are of coins that were never acquired: their cost is unknown and counts as 0.`,
        ]
      : []),
    ...(undated > 0 ? [`${undated} disposals have no date of acquisition, because average keeps none.`] : []),
    ...(transfers > 0
      ? [
          `${transfers} disposals are transfers to other portfolios of the account. Use the report of all portfolios combined, in which they are none.`,
        ]
      : []),
    ...(sends > 0
      ? [
          `${sends} disposals are coins sent away, at market value: a gift or a transfer of your own is no sale.`,
        ]
      : []),
    ...(taxed > 0
      ? [
          `${taxed} receipts are income. They have no cost here, so their value is in the gains again when they are sold: do not add both. An operator can count them as capital instead.`,
        ]
      : []),
  ]
}
