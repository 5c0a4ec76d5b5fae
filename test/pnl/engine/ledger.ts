import type { LedgerTransaction } from '../../../db/pnl/lots/postings.ts'
import { type Decimal, ZERO } from '../../../db/values/decimal.ts'
import { legKey, matchFee } from '../../../db/pnl/legs/leg.ts'
import type { Leg, Match } from '../../../db/pnl/legs/leg.ts'
import { turnOf } from '../../../db/pnl/legs/instants.ts'
import { netSwapLegs } from '../../../db/pnl/legs/value-unpriced.ts'
import { meaningOf } from '../../../db/pnl/legs/roles.ts'

/** The input of P&L of one scope: its transactions in order, and its own transfers. */
export interface Ledger {
  transactions: LedgerTransaction[]
  /** own transfers, with both ends in the scope; those of a coin without a market price are flows */
  matches: Match[]
  isInternal: (leg: Leg) => boolean
  /** fee taken from an own transfer on its way, at the leg of its departure */
  feeOf: (leg: Leg) => Decimal
}

/**
 * Builds the ledger of a scope, i.e. a set of accounts, without spam. The order of the input does not matter:
 * transactions are sorted by time and id, their legs by sequence. Within an instant, transactions that only
 * add coins come first, before swaps, except in wallets.
 */
export function ledgerOf(input: {
  legs: readonly Leg[]
  matches: readonly Match[]
  accounts: ReadonlySet<string>
  /** whose transactions have an order within an instant, which is that of their ids */
  isWallet?: (account: string) => boolean
}): Ledger {
  const legs = input.legs.filter((leg) => input.accounts.has(leg.account) && meaningOf(leg).counts)
  const matches = input.matches.filter(
    (match) =>
      !match.out.isUnpriced && input.accounts.has(match.out.account) && input.accounts.has(match.in.account),
  )
  const internal = new Map(
    matches.flatMap((match) => [
      [legKey(match.out), matchFee(match)],
      [legKey(match.in), ZERO],
    ]),
  )
  const groups = Map.groupBy(legs, (leg) => `${leg.atMs}/${leg.txId}`)
  const transactions = [...groups.values()].map((group) => ({
    txId: group[0]!.txId,
    atMs: group[0]!.atMs,
    legs: netSwapLegs(group.sort((a, b) => a.seq - b.seq)),
  }))
  const { isWallet = () => false } = input
  const turn = ({ legs: own }: LedgerTransaction) =>
    own.some((leg) => isWallet(leg.account)) ? 0 : turnOf(own)
  transactions
    .sort((a, b) => (a.txId < b.txId ? -1 : a.txId > b.txId ? 1 : 0))
    .sort((a, b) => a.atMs - b.atMs || turn(a) - turn(b))
  return {
    transactions,
    matches,
    isInternal: (leg) => internal.has(legKey(leg)),
    feeOf: (leg) => internal.get(legKey(leg)) ?? ZERO,
  }
}
