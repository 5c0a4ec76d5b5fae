import { negate, ZERO } from '../../db/values/decimal.ts'
import type { Leg } from '../../db/pnl/leg.ts'
import type { LedgerTransaction } from './ledger.ts'
import { isIn, marketUsd, posting } from './posting.ts'
import type { CarryLeg, Posting, PostingRules, Reason } from './posting.ts'
import { tradePostings } from './trade-postings.ts'

/**
 * Brings a transaction into acquisitions, disposals and carried basis, so that any cost method is a pure fold.
 * Order inside: what came in from outside, wraps, swaps, what was sent, fees last.
 */
export function postingsOf(transaction: LedgerTransaction, rules: PostingRules): Posting[] {
  const measured = transaction.legs.filter((leg) => leg.priceUsd !== null)
  const of = (role: Leg['role']) => measured.filter((leg) => leg.role === role)
  const isWhole = (role: Leg['role']) =>
    !transaction.legs.some((leg) => leg.role === role && leg.priceUsd === null)

  const crossing = [...of('opening'), ...of('transfer').filter((leg) => !rules.isInternal(leg))]
  // A swap with a coin that is not measured is a flow: its measured legs come or go at market.
  if (!isWhole('wrap')) crossing.push(...of('wrap'))
  if (!isWhole('trade')) crossing.push(...of('trade'))
  const trades = isWhole('trade') ? of('trade') : []
  const trade = trades.length > 0 ? tradePostings(trades, of('fee'), rules) : null

  return [
    ...crossing.filter(isIn).map((leg) => atMarket(leg, 'receipt')),
    ...of('airdrop').map((leg) => posting(leg, isIn(leg) ? 'income' : 'loss', ZERO, null)),
    ...(isWhole('wrap') ? wrapPostings(of('wrap')) : []),
    ...(trade?.postings ?? []),
    ...crossing.filter((leg) => !isIn(leg)).map((leg) => atMarket(leg, 'send')),
    ...(trade?.fees ?? of('fee').map((leg) => posting(leg, isIn(leg) ? 'rebate' : 'fee', ZERO, null))),
  ]
}

function atMarket(leg: Leg, reason: Reason): Posting {
  const value = isIn(leg) ? marketUsd(leg) : negate(marketUsd(leg))
  return posting(leg, reason, value, value)
}

function wrapPostings(legs: Leg[]): Posting[] {
  const from = legs.filter((leg) => !isIn(leg))
  const to = legs.filter(isIn)
  if (from.length === 0) return to.map((leg) => posting(leg, 'income', ZERO, null))
  if (to.length === 0) return from.map((leg) => posting(leg, 'loss', ZERO, null))
  const carried = (leg: Leg): CarryLeg => ({
    coinId: leg.coinId,
    quantity: isIn(leg) ? leg.quantity : negate(leg.quantity),
    marketUsd: isIn(leg) ? marketUsd(leg) : negate(marketUsd(leg)),
  })
  return [{ kind: 'carry', from: from.map(carried), to: to.map(carried) }]
}
