import type pg from 'pg'
import type { StoredBalance, WalletBalances } from '../../db/chain/balances.ts'
import { noteWalletEvents, readWatches, type WalletEvent } from '../../db/events/note-events.ts'
import { formatDecimal, fromRaw } from '../../db/values/decimal.ts'

/** Notes the balances that are not the stored ones, before they replace them, of the wallets that are watched. */
export async function noteBalances(
  client: pg.ClientBase,
  input: {
    networkId: string
    stored: readonly StoredBalance[]
    wallets: readonly WalletBalances[]
    blockNumber: number
  },
): Promise<void> {
  const { networkId, wallets, blockNumber } = input
  const watches = await readWatches(client, { networkId, walletIds: wallets.map(({ walletId }) => walletId) })
  if (watches.size === 0) return
  const stored = new Map(input.stored.map((one) => [`${one.walletId} ${one.coinId}`, one.raw]))
  const text = (raw: bigint, decimals: number | null) => formatDecimal(fromRaw(raw, decimals ?? 0))
  const events = wallets.flatMap(({ walletId, balances }) =>
    balances.flatMap(({ coinId, raw, decimals }): WalletEvent[] => {
      const before = stored.get(`${walletId} ${coinId}`) ?? 0n
      if (before === raw || !watches.has(walletId)) return []
      const payload = { coinId, amount: text(raw, decimals), previousAmount: text(before, decimals) }
      return [{ walletId, kind: 'wallet.balance', blockNumber, txHash: null, payload }]
    }),
  )
  await noteWalletEvents(client, { networkId, events })
}
