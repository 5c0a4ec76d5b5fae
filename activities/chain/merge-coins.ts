import type { BalanceToWrite } from '../../db/chain/balances.ts'

/** Adds up the contracts of one coin, as movements do. */
export function mergeCoins(balances: readonly BalanceToWrite[]): BalanceToWrite[] {
  const merged = new Map<string, BalanceToWrite>()
  for (const one of balances) {
    const other = merged.get(one.coinId)
    if (!other) merged.set(one.coinId, one)
    else if (other.decimals === one.decimals) merged.set(one.coinId, { ...other, raw: other.raw + one.raw })
  }
  return [...merged.values()]
}
