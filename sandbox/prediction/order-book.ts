import { uniform } from '../market/noise.ts'
import type { SandboxMarket } from './prediction-world.ts'

export interface SandboxLevel {
  price: number
  size: number
}

/** The order book of the first outcome around its price, the best first. It moves every five minutes. */
export function orderBookOf(
  market: SandboxMarket,
  now: number,
): { bids: SandboxLevel[]; asks: SandboxLevel[] } {
  const price = market.price(now)
  const moment = Math.floor(now / 300)
  const side = (direction: 1 | -1): SandboxLevel[] =>
    Array.from({ length: 12 }, (_, i) => ({
      price: Number((price + direction * market.tick * (i + 1)).toFixed(4)),
      size: Number((20 + 900 * uniform(market.number * 7 + direction, moment + i)).toFixed(2)),
    })).filter(({ price: at }) => at > 0 && at < 1)
  return { bids: side(-1), asks: side(1) }
}
