import { add, type Decimal, negate } from '../../values/decimal.ts'
import type { Role, Treatment } from './roles.ts'

/** One signed change of one account: the normal form that every source of transactions is brought into. */
export interface Leg {
  /** the id of the book whose leg it is */
  account: string
  txId: string
  seq: number
  atMs: number
  role: Role
  coinId: string
  /** positive in, negative out */
  quantity: Decimal
  /** at the instant of the transaction; null while the coin is not measured, i.e. has never had a price */
  priceUsd: Decimal | null
  /** the operator says that it is so, the source states it otherwise */
  isCorrected?: boolean
  /** the operator has this account treat the role so */
  treatment?: Treatment | undefined
}

/** Names a leg within its account. */
export function legKey(leg: { account: string; txId: string; seq: number }): string {
  return `${leg.account}/${leg.txId}/${leg.seq}`
}

/**
 * An own transfer: both of its legs. In a scope that holds both accounts nothing crosses the border; what left and did not
 * arrive is a fee, paid at the departure.
 */
export interface Match {
  out: Leg
  in: Leg
}

export function matchFee(match: Record<'out' | 'in', Pick<Leg, 'quantity'>>): Decimal {
  return negate(add(match.out.quantity, match.in.quantity))
}
