import type { PositionAsset } from '../position.ts'
import { NO_MINT, tokenOf } from './token-account.ts'

// The integer arithmetic that Whirlpools and Raydium's CLMM have in common, so that amounts equal what they pay. Prices
// are square roots of token 1 for one token 0, in base units, with 64 fractional bits. So are growths, which are modulo
// 2^128.

/** A pool, as far as its positions depend on it. */
export interface PoolState {
  sqrtPrice: bigint
  tick: number
  /** of each fee and reward: what a unit of liquidity has earned since the pool began */
  growths: readonly bigint[]
}

/** An end of a range. */
export interface Bound {
  tick: number
  sqrtPrice: bigint
  /** What was earned on the other side of the end than the pool's tick. null: the end is not in use */
  outside: readonly bigint[] | null
}

export interface Range {
  lower: Bound
  upper: Bound
}

/** Base units of both tokens that a withdrawal of all liquidity pays. */
function amountsOf(
  liquidity: bigint,
  { pool, lower, upper }: Range & { pool: PoolState },
): [token0: bigint, token1: bigint] {
  const [low, high] = [lower.sqrtPrice, upper.sqrtPrice]
  // Below its range a position holds only token 0, above it only token 1.
  const price = pool.tick < lower.tick ? low : pool.tick >= upper.tick ? high : pool.sqrtPrice
  return [((liquidity << 64n) * (high - price)) / (high * price), (liquidity * (price - low)) >> 64n]
}

/** What a unit of liquidity in a range has earned of the fee or reward with an index. */
function growthInside(index: number, { pool, lower, upper }: Range & { pool: PoolState }): bigint {
  const all = pool.growths[index]!
  const outside = (end: Bound, ofNone: bigint) => end.outside?.[index] ?? ofNone
  const below = pool.tick < lower.tick && lower.outside ? all - outside(lower, 0n) : outside(lower, all)
  const above = pool.tick < upper.tick || !upper.outside ? outside(upper, 0n) : all - outside(upper, 0n)
  return BigInt.asUintN(128, all - below - above)
}

/** Base units that liquidity has earned between two growths. More than 64 bits hold are lost, as in the programs. */
function earnedOf(liquidity: bigint, { from, to }: { from: bigint; to: bigint }): bigint {
  const earned = (liquidity * BigInt.asUintN(128, to - from)) >> 64n
  return earned < 2n ** 64n ? earned : 0n
}

/** What a position earns of one fee or reward. */
interface Earning {
  mint: string
  /** growth at which `owed` was counted */
  from: bigint
  /** base units, counted already */
  owed: bigint
  /** base units that there are to pay it from; null: as many as needed */
  most: bigint | null
}

/** The tokens that a position pays. `earnings`: in the order of the pool's growths. */
export function liquidityAssets(
  of: Range & {
    liquidity: bigint
    role: 'supplied' | 'locked'
    pool: PoolState
    earnings: readonly [Earning, Earning, ...Earning[]]
  },
): PositionAsset[] {
  const { liquidity, role, earnings } = of
  const [first, second] = earnings
  const [amount0, amount1] = amountsOf(liquidity, of)
  return [
    { role, token: tokenOf(first.mint), raw: amount0 },
    { role, token: tokenOf(second.mint), raw: amount1 },
    ...earnings.flatMap(({ mint, from, owed, most }, i) => {
      if (mint === NO_MINT) return []
      const earned = BigInt.asUintN(64, owed + earnedOf(liquidity, { from, to: growthInside(i, of) }))
      const raw = most !== null && most < earned ? most : earned
      return { role: 'unclaimed' as const, token: tokenOf(mint), raw }
    }),
  ]
}
