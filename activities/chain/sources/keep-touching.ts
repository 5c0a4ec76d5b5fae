import type { ChainTransaction, ChainTransfer } from '../chain-data.ts'

/** Which accounts a range is read for; null: all of them. */
export type Accounts = ReadonlySet<string> | null

export function touches(accounts: Accounts, transfer: { from: string; to: string | null }): boolean {
  return (
    accounts === null || accounts.has(transfer.from) || (transfer.to !== null && accounts.has(transfer.to))
  )
}

/** The transfers of a transaction that the accounts take part in; null when the transaction does not concern them. */
export function keepTouching(
  accounts: Accounts,
  decoded: { transaction: ChainTransaction; transfers: ChainTransfer[] },
): ChainTransfer[] | null {
  const transfers = decoded.transfers.filter((transfer) => touches(accounts, transfer))
  return transfers.length > 0 || touches(accounts, decoded.transaction) ? transfers : null
}
