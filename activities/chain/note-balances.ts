import type pg from 'pg'
import { type BalanceToWrite, storedBalances } from '../../db/chain/balances.ts'
import { noteWalletEvents, readWatch, type WalletEvent } from '../../db/events/note-events.ts'
import { formatDecimal, fromRaw } from '../../db/values/decimal.ts'

/**
 * Notes the balances that are not the stored ones, before they replace them, if their wallet is watched.
 * `balances` are those that the chain answered, zeroes included.
 */
export async function noteBalances(
  client: pg.ClientBase,
  input: {
    walletId: string
    networkId: string
    balances: readonly BalanceToWrite[]
    blockNumber: number
  },
): Promise<void> {
  const { walletId, networkId, balances, blockNumber } = input
  if (!(await readWatch(client, input))) return
  const stored = await storedBalances(client, input)
  const events = balances.flatMap(({ coinId, raw, decimals }): WalletEvent[] => {
    const before = stored.get(coinId) ?? 0n
    if (before === raw) return []
    const text = (amount: bigint) => formatDecimal(fromRaw(amount, decimals ?? 0))
    const payload = { coinId, amount: text(raw), previousAmount: text(before) }
    return [{ kind: 'wallet.balance', blockNumber, txHash: null, payload }]
  })
  await noteWalletEvents(client, { walletId, networkId, events })
}
