import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import type { reserve } from './kamino-layout.ts'

// The arithmetic of Kamino Lend (state/reserve.rs): fractions have 60 fractional bits, and each operation rounds down.

export type Reserve = ReturnType<typeof reserve.decode>

const BITS = 60n
const ONE = 1n << BITS
/** As the program counts them, two a second. */
const SLOTS_PER_YEAR = 2n * 86_400n * 365n

const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS
const fromBps = (bps: number): bigint => (BigInt(bps) << BITS) / 10_000n

export const wordsOf = ({ words }: { words: readonly bigint[] }): bigint =>
  words.reduceRight((sum, word) => (sum << 64n) | word, 0n)

/** Liquidity of all its suppliers. */
const supplyOf = (of: Reserve): bigint =>
  (of.available << BITS) + of.borrowedSf - of.protocolFeesSf - of.referrerFeesSf - of.pendingReferrerFeesSf

/** Liquidity of suppliers and the cumulative rate of debts, with interest up to a slot. */
export function accrued(of: Reserve, slot: bigint): { supply: bigint; cumulativeRate: bigint } {
  const supply = supplyOf(of)
  const rate = wordsOf(of.cumulativeRate)
  const slots = slot - of.lastUpdate.slot
  if (slots <= 0n) return { supply, cumulativeRate: rate }
  const fixed = fromBps(of.fixedRateBps)
  const compounded = compound(borrowRate(of, supply) + fixed, slots)
  const interest = times(of.borrowedSf, compounded) - of.borrowedSf
  const hostFee = times(of.borrowedSf, compound(fixed, slots)) - of.borrowedSf
  // Referrers get a part of the protocol's.
  const protocolFee = times(interest - hostFee, (BigInt(of.protocolTakePct) << BITS) / 100n)
  return { supply: supply + interest - hostFee - protocolFee, cumulativeRate: times(rate, compounded) }
}

/** Interest of a year at the reserve's use, on the curve's line between two points. */
function borrowRate(of: Reserve, supply: bigint): bigint {
  const share = supply === 0n ? 0n : (of.borrowedSf << BITS) / supply
  const use = share > ONE ? ONE : share
  // Rounded to the nearest, half to the greater.
  const bps = Number((use * 10_000n + ONE / 2n) >> BITS)
  const curve = of.rateCurve
  const next = curve.findIndex((point, i) => i > 0 && bps <= point.utilizationBps)
  const [start, end] = [curve[next - 1], curve[next]]
  if (!start || !end) throw new SourceRejected(SOLANA, 'a reserve whose curve of rates does not end')
  if (bps === start.utilizationBps) return fromBps(start.rateBps)
  if (bps === end.utilizationBps) return fromBps(end.rateBps)
  const rise = BigInt(end.rateBps - start.rateBps)
  const run = BigInt(end.utilizationBps - start.utilizationBps)
  return ((use - fromBps(start.utilizationBps)) * rise) / run + fromBps(start.rateBps)
}

/** The factor by which a debt grows: three terms of a series, as the program has it. */
function compound(rate: bigint, slots: bigint): bigint {
  const base = rate / SLOTS_PER_YEAR
  const one = ONE + base
  if (slots === 1n) return one
  if (slots === 2n) return times(one, one)
  if (slots === 3n) return times(times(one, one), one)
  if (slots === 4n) return times(times(one, one), times(one, one))
  const square = times(base, base)
  const second = (square * slots * (slots - 1n)) / 2n
  const third = (times(square, base) * slots * (slots - 1n) * (slots - 2n)) / 6n
  return ONE + base * slots + second + third
}

/** Base units, as a fraction, that some of the reserve's own token stands for. */
export const liquidityOf = (amount: bigint, of: Reserve, supply: bigint): bigint =>
  of.collateralSupply === 0n || supply === 0n ? amount << BITS : (amount * supply) / of.collateralSupply

export const floor = (fraction: bigint): bigint => fraction >> BITS
export const ceil = (fraction: bigint): bigint => (fraction + ONE - 1n) >> BITS
