import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'
import type { PriceInForce } from '../valuation/prices-in-force.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

// The terms of values and flows, for explanations.

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
