import type { ServedMarket } from '../../db/prediction/read-markets.ts'
import { toNumber } from '../shapes.ts'
import { numberOrNull } from './market.ts'

export interface ClaimPrices {
  yesPrice: number
  bestBid: number | null
  bestAsk: number | null
}

const rest = (price: number | null): number | null => (price === null ? null : Number((1 - price).toFixed(6)))

/**
 * Prices of the outcome that a market claims: Yes or Over, else its first outcome. `inverted`: prices of the
 * opposite outcome, to compare with a market that asks the opposite question.
 */
export function claimPrices(market: ServedMarket, { inverted }: { inverted: boolean }): ClaimPrices {
  const { outcomes } = market
  const claim = outcomes.find(({ name }) => /^(?:yes|over)$/i.test(name)) ?? outcomes[0]!
  const yes = toNumber(claim.price)
  const [bid, ask] = [numberOrNull(market.best_bid), numberOrNull(market.best_ask)]
  // The stored bid and ask are those of the first outcome.
  const turned = (claim.position !== 0) !== inverted
  return {
    yesPrice: inverted ? rest(yes)! : yes,
    bestBid: turned ? rest(ask) : bid,
    bestAsk: turned ? rest(bid) : ask,
  }
}

/** The prices that a comparison counts: those in play money only where there are no others. */
export function countedPrices<T extends { playMoney: boolean }>(prices: readonly T[]): readonly T[] {
  const real = prices.filter(({ playMoney }) => !playMoney)
  return real.length > 0 ? real : prices
}

/** Difference between the highest and the lowest price. */
export const priceGap = (prices: readonly number[]): number =>
  Number((Math.max(...prices) - Math.min(...prices)).toFixed(6))
