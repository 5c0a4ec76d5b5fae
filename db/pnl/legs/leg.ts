import { add, type Decimal, multiply, negate } from '../../values/decimal.ts'
import type { Role, Treatment } from './roles.ts'

/** One signed change of one coin in one book. Every source of transactions is converted to legs. */
export interface Leg {
  /** id of the book */
  account: string
  txId: string
  seq: number
  atMs: number
  role: Role
  coinId: string
  /** positive in, negative out */
  quantity: Decimal
  /** at the instant of the transaction; null when neither the market nor the transaction gives one */
  priceUsd: Decimal | null
  /** true: the coin has no market price yet */
  isUnpriced?: boolean
  /** exact value of a leg without a market price, with the sign of the quantity: see valueUnpriced */
  worthUsd?: Decimal
  /** its change of what was paid for the coin, while this has no market price */
  paidUsd?: Decimal
  /** true: the balance already has the quantity, and only its cost is added here */
  isHeld?: boolean
  /** true: an operator's correction of what the source reports */
  isCorrected?: boolean
  /** the operator's treatment of the role in this book */
  treatment?: Treatment | undefined
}

/** Value in USD of a leg that has a price. */
export const worthOf = (leg: Pick<Leg, 'quantity' | 'priceUsd' | 'worthUsd'>): Decimal =>
  leg.worthUsd ?? multiply(leg.quantity, leg.priceUsd!)

/** Key of a leg. */
export function legKey(leg: { account: string; txId: string; seq: number }): string {
  return `${leg.account}/${leg.txId}/${leg.seq}`
}

/**
 * Both legs of an own transfer. In a scope that holds both books it is no flow; the amount that left and did
 * not arrive is a fee, paid at the departure.
 */
export interface Match {
  out: Leg
  in: Leg
}

export function matchFee(match: Record<'out' | 'in', Pick<Leg, 'quantity'>>): Decimal {
  return negate(add(match.out.quantity, match.in.quantity))
}
