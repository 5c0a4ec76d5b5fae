import type { ExchangeTransactionKind, VenueRole } from '../../db/exchanges/tables.ts'

/** What an entry of a ledger counts as. */
export interface LedgerMeaning {
  kind: ExchangeTransactionKind
  role?: VenueRole
  type: 'deposit' | 'withdraw' | 'executed' | 'balance' | 'fee'
}

const ADJUSTMENT: LedgerMeaning = { kind: 'adjustment', type: 'balance' }

/** The meanings that rows of exchanges give to their kinds of entries, with their words in docs/coverage.md. */
export const KINDS = {
  elsewhere: 'in another list',
  transfer: 'deposit or withdrawal, by its sign',
  conversion: 'trade',
  reward: 'reward',
  airdrop: 'airdrop',
  interest: 'interest that was received',
  // Interest on loans, funding of positions, their profit and loss: negative costs, positive income.
  cost: 'cost, or income if it is positive',
  // The owner has it elsewhere, or its origin is not told.
  move: 'flow, no profit',
} as const
export type Kind = keyof typeof KINDS

/** Null: another list has it. Outgoing rewards take an earlier one back. */
export function meaningOf(kind: Kind, direction: 'in' | 'out'): LedgerMeaning | null {
  switch (kind) {
    case 'elsewhere':
      return null
    case 'transfer':
      return direction === 'in'
        ? { kind: 'deposit', type: 'deposit' }
        : { kind: 'withdrawal', type: 'withdraw' }
    case 'conversion':
      return { kind: 'convert', type: 'executed' }
    case 'cost':
      return { kind: 'fee', type: 'fee' }
    case 'move':
      return ADJUSTMENT
    case 'reward':
      return direction === 'out' ? ADJUSTMENT : { kind: 'reward', type: 'deposit' }
    default:
      return direction === 'out' ? ADJUSTMENT : { kind: 'reward', role: kind, type: 'deposit' }
  }
}
