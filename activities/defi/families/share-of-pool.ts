import { type PositionAsset, nonZero } from '../position.ts'

/** What `raw` of `supply` liquidity tokens stand for in a pool's tokens, rounded down as pools do. */
export function shareOfPool(input: {
  /** lower case; null: the native coin */
  tokens: readonly (string | null)[]
  /** base units of each token in the pool */
  balances: readonly bigint[]
  raw: bigint
  supply: bigint
}): PositionAsset[] {
  const { tokens, balances, raw, supply } = input
  if (supply === 0n) return []
  return nonZero(
    tokens.map((token, i) => ({ role: 'supplied', token, raw: (balances[i]! * raw) / supply }) as const),
  )
}
