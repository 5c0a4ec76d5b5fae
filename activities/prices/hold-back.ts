import { compare, type Decimal, decimal, divide } from '../../db/values/decimal.ts'

/** A price of one coin, or another USD amount, and the instant it refers to. */
export interface SeenPrice {
  usd: string
  at: Date
}

interface HoldBackInput {
  incoming: SeenPrice
  /** the last stored value; null: none */
  previous: SeenPrice | null
  /** the value of the second source; null: it does not know the coin, or did not answer */
  second: SeenPrice | null
  now: Date
}

/** A price is stale when its source has not updated it for this long. */
const STALE_MS = 2 * 3_600_000
/** Two sources agree on a price when it differs by at most this factor. */
const AGREEMENT = decimal('1.1')
/**
 * Without a second source, a price may move by at most this factor from a previous price that is not stale.
 */
const LARGEST_MOVE = decimal('2')

/** Returns why a price must not replace the stored one; null: it may. */
export function holdBackReason({ incoming, previous, second, now }: HoldBackInput): string | null {
  if (now.getTime() - incoming.at.getTime() > STALE_MS)
    return `stale: last updated ${incoming.at.toISOString()}`
  if (incoming.at.getTime() - now.getTime() > STALE_MS) return `from the future: ${incoming.at.toISOString()}`
  const fresh = (seen: SeenPrice | null): seen is SeenPrice =>
    seen !== null && now.getTime() - seen.at.getTime() <= STALE_MS
  if (fresh(second)) {
    return differsBy(incoming.usd, second.usd, AGREEMENT)
      ? `disagrees with the second source: ${incoming.usd} and ${second.usd}`
      : null
  }
  if (fresh(previous) && differsBy(incoming.usd, previous.usd, LARGEST_MOVE))
    return `jump without a second source: ${previous.usd} to ${incoming.usd}`
  return null
}

/** Whether two positive prices differ by more than a factor. */
function differsBy(a: string, b: string, factor: Decimal): boolean {
  const [low, high] = compare(decimal(a), decimal(b)) <= 0 ? [a, b] : [b, a]
  return compare(divide(decimal(high), decimal(low)), factor) > 0
}

export function sameMagnitude(a: string, b: string): boolean {
  return !differsBy(a, b, AGREEMENT)
}
