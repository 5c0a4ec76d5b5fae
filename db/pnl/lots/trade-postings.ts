import {
  absolute,
  add,
  compare,
  isZero,
  negate,
  shares,
  sign,
  subtract,
  sum,
  ZERO,
} from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'
import { isIn, marketUsd, posting } from './posting.ts'
import type { Posting, PostingRules } from './posting.ts'
import { trustedSide } from '../../values/coins.ts'

/**
 * Both sides of a swap get one value. The fee adds to the cost of a purchase with a stable coin; in other
 * swaps it reduces the proceeds. A liability is a coin with a negative price; taking it on belongs to the
 * giving side.
 */
export function tradePostings(
  legs: Leg[],
  fees: Leg[],
  rules: PostingRules,
): { postings: Posting[]; fees: Posting[] } {
  const isReceived = (leg: Leg) => (isZero(leg.priceUsd!) ? isIn(leg) : sign(marketUsd(leg)) > 0)
  const given = legs.filter((leg) => !isReceived(leg))
  const received = legs.filter(isReceived)
  const value = tradeValue(given, received, rules)
  const isPurchase = given.length > 0 && given.every((leg) => rules.isStable(leg.coinId))

  const withheld = fees.filter((fee) => withheldFrom(received, fee) !== undefined)
  const paid = fees.filter((fee) => !withheld.includes(fee))
  const costOf = (list: Leg[]) => negate(sum(list.map(marketUsd)))
  const withheldUsd = costOf(withheld)
  const paidUsd = costOf(paid)
  const cost = isPurchase ? add(value, paidUsd) : subtract(value, withheldUsd)
  const proceeds = isPurchase ? value : subtract(subtract(value, withheldUsd), paidUsd)

  const post = (leg: Leg, total: Decimal, market: Decimal): Posting => {
    const kept = [leg, ...withheld.filter((fee) => withheldFrom(received, fee) === leg)]
    const paid = kept.flatMap(({ paidUsd }) => paidUsd ?? [])
    const isDebt = sign(leg.priceUsd!) < 0
    return posting(
      {
        ...leg,
        quantity: sum(kept.map(({ quantity }) => quantity)),
        ...(paid.length > 0 && { paidUsd: sum(paid) }),
      },
      'trade',
      isDebt ? negate(total) : total,
      isDebt ? negate(market) : market,
    )
  }
  const side = (list: Leg[], total: Decimal) => {
    const totals = shares(total, list.map(absoluteMarket))
    const markets = shares(value, list.map(absoluteMarket))
    return list.map((leg, index) => post(leg, totals[index]!, markets[index]!))
  }
  return {
    postings: [...side(given, proceeds), ...side(received, cost)],
    fees: paid.map((leg) =>
      posting(
        leg,
        isIn(leg) ? 'rebate' : 'tradefee',
        isIn(leg) ? marketUsd(leg) : negate(marketUsd(leg)),
        null,
      ),
    ),
  }
}

/** The received leg that a fee was taken from: the same coin with a larger quantity. A rebate has none. */
function withheldFrom(received: Leg[], fee: Leg): Leg | undefined {
  if (isIn(fee)) return undefined
  return received.find(
    (leg) => leg.coinId === fee.coinId && isIn(leg) && compare(leg.quantity, negate(fee.quantity)) > 0,
  )
}

const absoluteMarket = (leg: Leg): Decimal => absolute(marketUsd(leg))

/** Market value of the trusted side; 0 with one side only. */
function tradeValue(given: Leg[], received: Leg[], rules: PostingRules): Decimal {
  if (given.length === 0 || received.length === 0) return ZERO
  const side = trustedSide({ given, received }, ({ coinId }) =>
    rules.isStable(coinId) ? Infinity : rules.trust(coinId),
  )
  return sum((side === 'given' ? given : received).map(absoluteMarket))
}
