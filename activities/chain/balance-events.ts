import type { BalanceToWrite } from '../../db/chain/balances.ts'
import type { WalletEvent } from '../../db/events/note-events.ts'
import { formatDecimal, fromRaw } from '../../db/values/decimal.ts'

/**
 * One event for each coin whose balance is not the one that was stored. `balances` are those that the chain
 * answered, zeroes included.
 */
export function balanceEvents(input: {
  previous: ReadonlyMap<string, bigint>
  balances: readonly BalanceToWrite[]
  blockNumber: number
}): WalletEvent[] {
  return input.balances.flatMap(({ coinId, raw, decimals }): WalletEvent[] => {
    const before = input.previous.get(coinId) ?? 0n
    if (before === raw) return []
    const text = (amount: bigint) => formatDecimal(fromRaw(amount, decimals ?? 0))
    const payload = { coinId, amount: text(raw), previousAmount: text(before) }
    return [{ kind: 'wallet.balance', blockNumber: input.blockNumber, txHash: null, payload }]
  })
}
