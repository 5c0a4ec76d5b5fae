import type { ReadonlyDb } from '../../schema.ts'
import { add, type Decimal, formatDecimal, isZero, negate, sum } from '../../values/decimal.ts'
import { startOfPeriod } from '../../values/periods.ts'
import type { BookSet, Book } from '../books.ts'
import { type BookTerms, bookTerms, type Span } from './book-terms.ts'
import { currencyRates, type InCurrency } from '../valuation/price-book.ts'
import { type InFlight, innerTransfers } from '../periods/inner-transfers.ts'
import type { Money } from '../valuation/money.ts'
import { type PlPeriod, readScope } from '../periods/read-periods.ts'
import type { FlowTerm, Worth } from '../periods/values-in-detail.ts'

/** Value of a set of books at an instant: the sum of the books and the transfers under way between them. */
export interface ExplainedPoint {
  atMs: number
  value: Decimal
  valueUsd: Decimal
  /** the value of each in USD is the sum of its positions */
  books: { book: Book; value: Decimal; valueUsd: Decimal }[]
  positions: (Worth & { book: Book })[]
  inFlight: (Omit<InFlight, 'value'> & { value: Decimal })[]
}

/** The flow of one transaction, or of a coin that gets its first price. */
export interface ExplainedFlow {
  atMs: number
  bookId: string
  value: Decimal
  valueUsd: Decimal
  /** true: it reverses the flow of one end of an own transfer */
  isTakenBack: boolean
  terms: FlowTerm[]
}

export interface ExplainedPeriod {
  opening: ExplainedPoint
  closing: ExplainedPoint
  months: { month: number; value: Decimal }[]
  /** flows of `span`, in the order of time */
  flows: ExplainedFlow[]
}

/**
 * Returns the terms of one period of `readPlPeriods`, with values in USD, BTC, ETH or a fiat currency.
 * `span`: the part to return single flows for, at most a month, because all of its legs are read. Null when
 * the terms do not add up to the period, because the stored days lack a recent change.
 */
export async function explainPeriod(input: {
  db: ReadonlyDb
  set: BookSet
  period: PlPeriod
  currency: string
  span: Span | null
}): Promise<ExplainedPeriod | null> {
  const { db, set, period, span } = input
  const whole: Span = { fromMs: period.startMs, toMs: period.endMs }
  const instantsMs = [whole.fromMs, whole.toMs]
  const inCurrency = await currencyRates({ db, currency: input.currency, ...whole })
  const scope = await readScope({ db, ...set, instantsMs })
  if (!inCurrency || !scope) return null

  const books: BookTerms[] = []
  for (const book of set.books) {
    const terms = await bookTerms({ db, book, period: whole, flows: span })
    if (terms) books.push(terms)
  }
  const inner = books.length > 1 ? await innerTransfers({ db, set, instantsMs }) : { points: [], flows: [] }
  const pointOf = (end: 'opening' | 'closing', atMs: number): ExplainedPoint => {
    const inFlight = inner.points
      .filter((point) => point.atMs === atMs)
      .map((point) => ({ ...point, value: inCurrency(point.value, atMs) }))
    const ledgers = books.map(({ book, [end]: { value } }) => ({
      book,
      value: inCurrency(value, atMs),
      valueUsd: value.usd,
    }))
    return {
      atMs,
      books: ledgers,
      inFlight,
      value: sum([...ledgers, ...inFlight].map(({ value }) => value)),
      valueUsd: sum([...ledgers.map(({ valueUsd }) => valueUsd), ...inFlight.map(({ worth }) => worth.usd)]),
      positions: books.flatMap(({ book, [end]: { positions } }) =>
        positions.map((one) => ({ ...one, book })),
      ),
    }
  }
  const months = monthsOf(scope.flows, inCurrency)
  const explained = {
    opening: pointOf('opening', whole.fromMs),
    closing: pointOf('closing', whole.toMs),
    months,
    flows: span ? flowsOf({ books, inner: inner.flows, span, inCurrency }) : [],
  }
  return addsUp({ explained, period, span }) ? explained : null
}

type TakenBack = Awaited<ReturnType<typeof innerTransfers>>['flows']

function flowsOf(input: {
  books: readonly BookTerms[]
  inner: TakenBack
  span: Span
  inCurrency: InCurrency
}): ExplainedFlow[] {
  const { span } = input
  const explain = (flow: { atMs: number; money: Money; terms: FlowTerm[] }) => ({
    atMs: flow.atMs,
    terms: flow.terms,
    valueUsd: flow.money.usd,
    value: input.inCurrency(flow.money, flow.atMs),
  })
  const flows = input.books.flatMap(({ book, flows: own }) =>
    own.map((flow) => ({ ...explain(flow), bookId: book.id, isTakenBack: false })),
  )
  const back = input.inner
    .filter(({ atMs }) => atMs >= span.fromMs && atMs < span.toMs)
    .map((flow) => ({ ...explain(flow), bookId: flow.bookId, isTakenBack: true }))
  return withoutPairs([...flows, ...back]).sort((a, b) => a.atMs - b.atMs)
}

/** Removes flows of own transfers together with the entries that reverse them exactly. */
function withoutPairs(flows: readonly ExplainedFlow[]): ExplainedFlow[] {
  const nameOf = (flow: ExplainedFlow, isBack: boolean) => {
    const { leg } = flow.terms[0]!
    const values = [flow.value, flow.valueUsd].map((value) => formatDecimal(isBack ? negate(value) : value))
    return [flow.bookId, leg?.txId, leg?.seq, ...values].join(' ')
  }
  const single = flows.filter(({ terms }) => terms.length === 1)
  const alone = new Set(single.filter((flow) => !flow.isTakenBack).map((flow) => nameOf(flow, false)))
  const back = single.filter((flow) => flow.isTakenBack).map((flow) => nameOf(flow, true))
  const pairs = new Set(back.filter((name) => alone.has(name)))
  return flows.filter((flow) => flow.terms.length !== 1 || !pairs.has(nameOf(flow, flow.isTakenBack)))
}

function monthsOf(flows: readonly { atMs: number; money: Money }[], inCurrency: InCurrency) {
  const sums = new Map<number, Decimal>()
  for (const { atMs, money } of flows.toSorted((a, b) => a.atMs - b.atMs)) {
    const month = startOfPeriod('monthly', atMs)
    const value = inCurrency(money, atMs)
    const before = sums.get(month)
    sums.set(month, before ? add(before, value) : value)
  }
  return [...sums].filter(([, value]) => !isZero(value)).map(([month, value]) => ({ month, value }))
}

/** Compares to the last digit. */
function addsUp(input: { explained: ExplainedPeriod; period: PlPeriod; span: Span | null }): boolean {
  const { explained, period, span } = input
  const { months, flows } = explained
  const isEqual = (terms: readonly { value: Decimal }[], figure: Decimal) =>
    formatDecimal(sum(terms.map(({ value }) => value))) === formatDecimal(figure)
  const parts = months.filter(({ month }) => !span || isPart(month, span))
  return (
    isEqual([explained.opening], period.opening) &&
    isEqual([explained.closing], period.closing) &&
    isEqual(months, period.flow) &&
    (!span || isEqual(flows, sum(parts.map(({ value }) => value))))
  )
}

const isPart = (month: number, { fromMs, toMs }: Span) =>
  month < toMs && month >= startOfPeriod('monthly', fromMs)
