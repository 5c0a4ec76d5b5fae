import { formatDecimal, isZero, negate, ZERO } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'
import { meaningOf } from '../legs/roles.ts'
import type { DatedPostings } from './fold-lots.ts'
import { isIn, marketUsd, paidIn, posting } from './posting.ts'
import type { CarryLeg, Posting, PostingRules, Reason } from './posting.ts'
import { tradePostings } from './trade-postings.ts'

export interface LedgerTransaction {
  txId: string
  atMs: number
  legs: Leg[]
}

/**
 * Converts a transaction to acquisitions, disposals and carried cost, so that each cost method is a pure
 * fold. Order: receipts, income, wraps, swaps, sends, fees, the fees of own transfers, and last what has no value.
 */
export function postingsOf(transaction: LedgerTransaction, rules: PostingRules): Posting[] {
  const sorted = sortLegs(transaction.legs, rules)
  const postings: Posting[] = []
  for (const leg of sorted.crossing) if (isIn(leg)) postings.push(atMarket(leg, 'receipt'))
  for (const leg of sorted.incomes) postings.push(isIn(leg) ? income(leg) : posting(leg, 'loss', ZERO, null))
  if (sorted.wraps.length > 0) postings.push(...wrapPostings(sorted.wraps))
  const trade = sorted.trades.length > 0 ? tradePostings(sorted.trades, sorted.fees, rules) : null
  if (trade) postings.push(...trade.postings)
  for (const leg of sorted.crossing) if (!isIn(leg)) postings.push(atMarket(leg, 'send'))
  if (trade) postings.push(...trade.fees)
  else for (const leg of sorted.fees) postings.push(posting(leg, isIn(leg) ? 'rebate' : 'fee', ZERO, null))
  for (const leg of sorted.withheld) postings.push(posting(leg, 'fee', ZERO, null))
  for (const { coinId, quantity } of sorted.unvalued) postings.push({ kind: 'unvalued', coinId, quantity })
  return postings
}

/** Sorts legs by effect. A swap with a leg without a value makes its other legs flows at market. */
function sortLegs(legs: readonly Leg[], { isInternal, feeOf }: PostingRules) {
  const sorted = {
    crossing: [] as Leg[],
    incomes: [] as Leg[],
    wraps: [] as Leg[],
    trades: [] as Leg[],
    fees: [] as Leg[],
    withheld: [] as Leg[],
    unvalued: [] as Pick<Leg, 'coinId' | 'quantity'>[],
  }
  const unmeasured = { carried: false, exchanged: false }
  for (const leg of legs) {
    const { flow, basis, income } = meaningOf(leg)
    const { coinId, quantity } = leg
    if (leg.isHeld) sorted.unvalued.push({ coinId, quantity: negate(quantity) })
    if (leg.priceUsd === null) {
      sorted.unvalued.push({ coinId, quantity })
      if (basis === 'carried' || basis === 'exchanged') unmeasured[basis] = true
    } else if (basis === 'exchanged') sorted.trades.push(leg)
    else if (basis === 'carried') sorted.wraps.push(leg)
    else if (income) sorted.incomes.push(leg)
    else if (basis === 'none') sorted.fees.push(leg)
    else if (flow === 'always' || !isInternal(leg)) sorted.crossing.push(leg)
    else if (!isZero(feeOf(leg))) sorted.withheld.push({ ...leg, quantity: negate(feeOf(leg)) })
  }
  if (unmeasured.carried) sorted.crossing.push(...sorted.wraps.splice(0))
  if (unmeasured.exchanged) sorted.crossing.push(...sorted.trades.splice(0))
  return sorted
}

function atMarket(leg: Leg, reason: Reason): Posting {
  const value = isIn(leg) ? marketUsd(leg) : negate(marketUsd(leg))
  return posting(leg, reason, value, value)
}

function income(leg: Leg): Posting {
  return {
    ...posting(leg, 'income', ZERO, null),
    income: { role: leg.role, worthUsd: marketUsd(leg) },
  } as Posting
}

function wrapPostings(legs: Leg[]): Posting[] {
  const from = legs.filter((leg) => !isIn(leg))
  const to = legs.filter(isIn)
  if (from.length === 0) return to.map(income)
  if (to.length === 0) return from.map((leg) => posting(leg, 'loss', ZERO, null))
  const carried = (leg: Leg): CarryLeg => ({
    coinId: leg.coinId,
    quantity: isIn(leg) ? leg.quantity : negate(leg.quantity),
    marketUsd: isIn(leg) ? marketUsd(leg) : negate(marketUsd(leg)),
    ...paidIn(leg),
  })
  return [{ kind: 'carry', from: from.map(carried), to: to.map(carried) }]
}

const PHASES = { acquire: 0, carry: 1, dispose: 2, unvalued: 3 } as const

/**
 * Splits entries of one instant into their postings and lets acquisitions come first, so that fills that pay
 * for each other have lots, whatever their order. Sorted by content, so that ids change nothing.
 */
export function acquisitionsFirst<Entry extends DatedPostings>(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length < 2) return entries
  return entries
    .flatMap((entry) => entry.postings.map((posting) => ({ entry, posting, key: sortKey(posting) })))
    .sort(
      (a, b) =>
        PHASES[a.posting.kind] - PHASES[b.posting.kind] || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    )
    .map(({ entry, posting }) => ({ ...entry, postings: [posting] }))
}

function sortKey(posting: Posting): string {
  if (posting.kind === 'carry') return ''
  if (posting.kind === 'unvalued') return posting.coinId
  const usd = posting.kind === 'acquire' ? posting.costUsd : posting.proceedsUsd
  return [posting.coinId, formatDecimal(posting.quantity), formatDecimal(usd), posting.reason].join(' ')
}
