import {
  add,
  type Decimal,
  formatDecimal,
  multiply,
  sign,
  subtract,
  sum,
  ZERO,
} from '../../values/decimal.ts'
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
  /** what the quantity was worth when it was received, if the lot was income; null: it was none, or method `average` */
  incomeUsd: Decimal | null
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

export type ReportedDisposal = TaxDisposal & Sums & { fee: Decimal; term: Term; incomeWorth: Decimal | null }
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
  /** worth of income, of any year, that the gains have again because it has no cost; null: method `average` */
  incomeInGains: Decimal | null
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
      incomeWorth: one.incomeUsd && at(one.incomeUsd, one.acquiredAt!),
    }
  })
  const income = input.income.map((one) => ({ ...one, worth: at(one.worthUsd, one.acquiredAt) }))
  const incomeInGains =
    method === 'average' ? null : sum(disposals.map(({ incomeWorth }) => incomeWorth ?? ZERO))
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
    incomeInGains,
    warnings: warningsOf({ country, currency, method, disposals, income, incomeInGains }),
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
  currency: string
  method: CostMethod
  disposals: readonly ReportedDisposal[]
  income: readonly ReportedIncome[]
  incomeInGains: Decimal | null
}): string[] {
  const { country, currency, method, disposals, income, incomeInGains } = input
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
          `${counted(uncovered, 'disposal is of coins that were', 'disposals are of coins that were')} never acquired: their cost is unknown and counts as 0.`,
        ]
      : []),
    ...(undated > 0
      ? [
          `${counted(undated, 'disposal has', 'disposals have')} no date of acquisition, because average keeps none.`,
        ]
      : []),
    ...(transfers > 0
      ? [
          `${counted(transfers, 'disposal is a transfer', 'disposals are transfers')} to other portfolios of the account. Use the report of all portfolios combined, in which there are no such disposals.`,
        ]
      : []),
    ...(sends > 0
      ? [
          `${counted(sends, 'disposal is', 'disposals are')} coins sent away, at market value: a gift or a transfer of your own is no sale.`,
        ]
      : []),
    ...(taxed > 0
      ? [
          `${counted(taxed, 'receipt is', 'receipts are')} income. Income has no cost here, so its worth is in the gains again when it is sold: do not add both. An operator can count it as capital instead.`,
        ]
      : []),
    ...(incomeInGains !== null && sign(incomeInGains) !== 0
      ? [
          `The gains have ${formatDecimal(incomeInGains)} ${currency} of income again, which was worth that when it was received. If you declare it as income, of this year or an earlier one, take it off from the gains.`,
        ]
      : []),
    ...(incomeInGains === null && taxed > 0
      ? [`How much income the gains have again is unknown, because average does not tell lots apart.`]
      : []),
  ]
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
