import { add, type Decimal, negate } from '../../values/decimal.ts'
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
  /** at the instant of the transaction; null before the first price of the coin */
  priceUsd: Decimal | null
  /** true: an operator's correction of what the source reports */
  isCorrected?: boolean
  /** the operator's treatment of the role in this book */
  treatment?: Treatment | undefined
}

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
