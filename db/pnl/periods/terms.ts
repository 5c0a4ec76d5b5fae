import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'
import type { PriceInForce } from '../valuation/prices-in-force.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

// The terms of values and flows, for explanations.

/** An amount of a coin at its price: `usd` is the product. */
export interface Worth {
  coinId: string
  quantity: Decimal
  price: PriceInForce
  usd: Decimal
}

/** A value with its positions; their sum is the value in USD. */
export interface DetailedPoint extends ValuePoint {
  positions: Worth[]
}

/** One leg of a flow; `leg` null: the balance of a coin when it got its first price. */
export interface FlowTerm {
  leg: Pick<Leg, 'txId' | 'seq' | 'role' | 'isCorrected'> | null
  coinId: string
  quantity: Decimal
  priceUsd: Decimal
  usd: Decimal
}

/** The flow of one transaction with its terms; their sum is the flow in USD. */
export interface DetailedFlow extends MoneyFlow {
  terms: FlowTerm[]
}
