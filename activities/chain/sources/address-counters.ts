import type { WalletAccount } from '../wallet-source.ts'

/** What a service counts of an address, in confirmed transactions. Amounts in base units. */
export interface AddressCounters {
  transactions: number
  received: bigint
  sent: bigint
}

/** Counters of an address that hold as of a block: they count its transactions up to there and no others. */
export interface KnownCounters extends AddressCounters {
  block: number
}

export const balanceOf = ({ received, sent }: AddressCounters): bigint => received - sent

/** The form in which they are stored. */
export const countersText = ({ transactions, received, sent }: AddressCounters): string =>
  `${transactions} ${received} ${sent}`

export function countersOf(text: string): AddressCounters {
  const [transactions, received, sent] = text.split(' ') as [string, string, string]
  return { transactions: Number(transactions), received: BigInt(received), sent: BigInt(sent) }
}

/** What is stored of the account; null: nothing. */
export function knownCounters(account: WalletAccount | undefined): KnownCounters | null {
  if (typeof account?.seen !== 'string' || typeof account.seenBlock !== 'number') return null
  return { ...countersOf(account.seen), block: account.seenBlock }
}

export const areEqual = (one: AddressCounters, other: AddressCounters): boolean =>
  countersText(one) === countersText(other)
