import { add, type Decimal, negate } from '../values/decimal.ts'

/**
 * transfer: value crossing the border of the account; trade: a leg of a swap; wrap: basis carried over;
 * fee: cost of the transaction (negative quantity; positive for a rebate); airdrop: income of basis 0;
 * opening: quantity that the history does not explain; spam: left out everywhere.
 */
export type Role = 'transfer' | 'trade' | 'wrap' | 'fee' | 'airdrop' | 'opening' | 'spam'

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
