import { coverShortfall } from '../../../db/pnl/legs/cover-shortfall.ts'
import { instantsOf } from '../../../db/pnl/legs/instants.ts'
import type { Leg } from '../../../db/pnl/legs/leg.ts'
import { type Paid, valueUnpriced } from '../../../db/pnl/legs/value-unpriced.ts'
import { ledgerOf } from './ledger.ts'
import { add, type Decimal, ZERO } from '../../../db/values/decimal.ts'

/**
 * Adds openings for amounts that the history does not explain, except in wallets, which may owe, and values
 * the legs of coins without a market price: see coverShortfall and valueUnpriced. Transactions of an instant
 * count together, except those of wallets, which have an order.
 */
export function insertOpenings(
  legs: readonly Leg[],
  isWallet: (account: string) => boolean = () => false,
): Leg[] {
  const byAccount = Map.groupBy(legs, (leg) => leg.account)
  return [...byAccount].flatMap(([account, own]) => {
    const balances = new Map<string, Decimal>()
    const paid = new Map<string, Paid>()
    const { transactions } = ledgerOf({ legs: own, matches: [], accounts: new Set([account]), isWallet })
    const inOrder = transactions.flatMap((transaction) => transaction.legs)
    const counted = instantsOf(inOrder, { isOrdered: isWallet(account) }).flatMap((stored) => {
      const covered = isWallet(account) ? stored : coverShortfall(stored, balances)
      for (const leg of covered.flat()) if (!leg.isUnpriced) paid.delete(leg.coinId)
      const valued = valueUnpriced(covered, { balances, paid })
      for (const { coinId, quantity } of covered.flat())
        balances.set(coinId, add(balances.get(coinId) ?? ZERO, quantity))
      return valued.flat()
    })
    // The ledger leaves out spam, and the tests of the ledger need it.
    return [...counted, ...own.filter(({ role }) => role === 'spam')]
  })
}
