import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'
import type { PriceInForce } from '../valuation/prices-in-force.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

// What values and flows are the sums of.

/** An amount of a coin at its price: `usd` is the product. */
export interface Worth {
  coinId: string
  quantity: Decimal
  price: PriceInForce
  usd: Decimal
}

/** The value in USD is the sum of the positions. */
export interface DetailedPoint extends ValuePoint {
  positions: Worth[]
}

/** One leg of a flow; null: what was held of a coin when it got its first price. */
export interface FlowTerm {
  leg: Pick<Leg, 'txId' | 'seq' | 'role' | 'isCorrected'> | null
  coinId: string
  quantity: Decimal
  priceUsd: Decimal
  usd: Decimal
}

/** The flow of one transaction: in USD it is the sum of the terms. */
export interface DetailedFlow extends MoneyFlow {
  terms: FlowTerm[]
}
