import { coverShortfall } from '../../../db/pnl/legs/cover-shortfall.ts'
import type { Leg } from '../../../db/pnl/legs/leg.ts'
import { add, ZERO } from '../../../db/values/decimal.ts'
import type { Decimal } from '../../../db/values/decimal.ts'
import { ledgerOf } from '../../../db/pnl/lots/ledger.ts'

/** Adds openings for amounts that the history does not explain: see coverShortfall. */
export function insertOpenings(legs: readonly Leg[]): Leg[] {
  const byAccount = Map.groupBy(legs, (leg) => leg.account)
  const openings: Leg[] = []
  for (const [account, own] of byAccount) {
    const balances = new Map<string, Decimal>()
    for (const transaction of ledgerOf({ legs: own, matches: [], accounts: new Set([account]) })
      .transactions) {
      const covered = coverShortfall(transaction.legs, balances)
      for (const { coinId, quantity } of covered)
        balances.set(coinId, add(balances.get(coinId) ?? ZERO, quantity))
      openings.push(...covered.slice(0, covered.length - transaction.legs.length))
    }
  }
  return [...openings, ...legs]
}
