import { negate, sign } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { type Leg, worthOf } from '../legs/leg.ts'
import type { Role } from '../legs/roles.ts'
import type { Db } from '../../schema.ts'
import { isFiatCoin, trustOf } from '../../values/coins.ts'

export type Reason = 'trade' | 'receipt' | 'income' | 'rebate' | 'send' | 'tradefee' | 'fee' | 'loss'

/**
 * Quantities are positive, except in `unvalued`: a change of what is held at an unknown cost without a market
 * price. `marketUsd` is the value moved before fees; null for a fee. `paidUsd` is the change of what was paid
 * for a coin without a market price.
 */
export type Posting =
  | {
      kind: 'acquire'
      reason: Reason
      coinId: string
      quantity: Decimal
      costUsd: Decimal
      marketUsd: Decimal | null
      paidUsd?: Decimal
      /** what income was worth: it has no cost; negative: interest on a debt */
      income?: { role: Role; worthUsd: Decimal }
    }
  | {
      kind: 'dispose'
      reason: Reason
      coinId: string
      quantity: Decimal
      proceedsUsd: Decimal
      marketUsd: Decimal | null
      paidUsd?: Decimal
    }
  | { kind: 'carry'; from: CarryLeg[]; to: CarryLeg[] }
  | { kind: 'unvalued'; coinId: string; quantity: Decimal }

export interface CarryLeg {
  coinId: string
  quantity: Decimal
  marketUsd: Decimal
  paidUsd?: Decimal
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
export const marketUsd = worthOf

/** A posting of the leg's quantity. `usd`: the cost of an acquisition or the proceeds of a disposal. */
export function posting(leg: Leg, reason: Reason, usd: Decimal, market: Decimal | null): Posting {
  const common = { reason, coinId: leg.coinId, marketUsd: market, ...paidIn(leg) }
  return isIn(leg)
    ? { ...common, kind: 'acquire', quantity: leg.quantity, costUsd: usd }
    : { ...common, kind: 'dispose', quantity: negate(leg.quantity), proceedsUsd: usd }
}

export const paidIn = ({ paidUsd }: Leg) => (paidUsd ? { paidUsd } : {})

export function coinsOf(posting: Posting): string[] {
  return posting.kind === 'carry'
    ? [...posting.from, ...posting.to].map(({ coinId }) => coinId)
    : [posting.coinId]
}

/** Trusts fiat and stable coins most, then BTC and ETH. */
export async function postingRules(db: Db): Promise<CoinRules> {
  const rows = await db.selectFrom('coins').select('id').where('is_stable', '=', true).execute()
  const stable = new Set(rows.map(({ id }) => id))
  return {
    isStable: (coinId: string) => stable.has(coinId) || isFiatCoin(coinId),
    trust: trustOf,
  }
}
