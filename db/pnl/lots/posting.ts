import { multiply, negate, sign } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'

export type Reason = 'trade' | 'receipt' | 'income' | 'rebate' | 'send' | 'tradefee' | 'fee' | 'loss'

/** Quantities are positive. `marketUsd` is the value moved before fees; null for a fee. */
export type Posting =
  | {
      kind: 'acquire'
      reason: Reason
      coinId: string
      quantity: Decimal
      costUsd: Decimal
      marketUsd: Decimal | null
    }
  | {
      kind: 'dispose'
      reason: Reason
      coinId: string
      quantity: Decimal
      proceedsUsd: Decimal
      marketUsd: Decimal | null
    }
  | { kind: 'carry'; from: CarryLeg[]; to: CarryLeg[] }

export interface CarryLeg {
  coinId: string
  quantity: Decimal
  marketUsd: Decimal
}

export interface CoinRules {
  /** fiat and stable coins: the cost of a purchase with them includes the fee */
  isStable: (coinId: string) => boolean
  /** trust in the price of a coin; the more trusted side of a swap sets its value */
  trust: (coinId: string) => number
}

export interface PostingRules extends CoinRules {
  isInternal: (leg: Leg) => boolean
  /** fee taken from an own transfer on its way, at the leg of its departure */
  feeOf: (leg: Leg) => Decimal
}

export const isIn = (leg: Leg) => sign(leg.quantity) > 0
export const marketUsd = (leg: Leg) => multiply(leg.quantity, leg.priceUsd!)

/** A posting of the leg's quantity. `usd`: the cost of an acquisition or the proceeds of a disposal. */
export function posting(leg: Leg, reason: Reason, usd: Decimal, market: Decimal | null): Posting {
  const { coinId } = leg
  return isIn(leg)
    ? { kind: 'acquire', reason, coinId, quantity: leg.quantity, costUsd: usd, marketUsd: market }
    : { kind: 'dispose', reason, coinId, quantity: negate(leg.quantity), proceedsUsd: usd, marketUsd: market }
}

export function coinsOf(posting: Posting): string[] {
  return posting.kind === 'carry'
    ? [...posting.from, ...posting.to].map(({ coinId }) => coinId)
    : [posting.coinId]
}
