import { add, multiply, negate, sign, subtract, ZERO } from '../../../db/values/decimal.ts'
import type { DatedPostings } from '../../../db/pnl/lots/fold-lots.ts'
import type { Ledger } from './ledger.ts'
import type { CoinRules, Posting } from '../../../db/pnl/lots/posting.ts'
import { acquisitionsFirst, postingsOf } from '../../../db/pnl/lots/postings.ts'
import type { PriceBook } from '../../../db/pnl/valuation/price-book.ts'

/**
 * The postings of a scope in order. When a coin gets its first price, what is held at an unknown cost is
 * acquired at that price, one millisecond earlier: the same sum at the same instant that the periods count as a flow.
 * Transactions of an instant count together, except those of wallets, which have an order.
 */
export function scopePostings(input: {
  ledger: Ledger
  prices: PriceBook
  rules: CoinRules
  isWallet?: (account: string) => boolean
}): DatedPostings[] {
  const { ledger, prices, isWallet = () => false } = input
  const rules = { ...input.rules, isInternal: ledger.isInternal, feeOf: ledger.feeOf }
  // A transaction that nets to nothing has no legs.
  const transactions = ledger.transactions.filter(({ legs }) => legs.length > 0)
  const instants = Map.groupBy(transactions, ({ atMs, legs }) => `${atMs} ${legs[0]!.account}`)
  const entries = [...instants.values()].flatMap((instant) => {
    const dated = instant.map((transaction) => {
      const { txId, atMs } = transaction
      return { txId, atMs, postings: postingsOf(transaction, rules) }
    })
    return isWallet(instant[0]!.legs[0]!.account) ? dated : acquisitionsFirst(dated)
  })
  const coinIds = new Set(
    ledger.transactions.flatMap((transaction) => transaction.legs.map((leg) => leg.coinId)),
  )
  const firsts: DatedPostings[] = []
  for (const coinId of coinIds) {
    const first = prices.first(coinId)
    if (!first) continue
    let quantity = ZERO
    for (const { atMs, legs } of ledger.transactions) {
      if (atMs >= first.atMs) break
      for (const leg of legs) {
        if (leg.coinId !== coinId) continue
        if (!leg.isHeld) quantity = add(quantity, leg.quantity)
        if (leg.paidUsd) quantity = subtract(quantity, leg.quantity)
      }
    }
    for (const { out, in: arrival } of ledger.matches) {
      if (out.coinId !== coinId) continue
      if (out.atMs < first.atMs && arrival.atMs >= first.atMs) quantity = add(quantity, arrival.quantity)
    }
    if (sign(quantity) <= 0) continue
    const costUsd = multiply(quantity, first.usd)
    const posting: Posting = {
      kind: 'acquire',
      reason: 'receipt',
      coinId,
      quantity,
      costUsd,
      marketUsd: costUsd,
    }
    const note: Posting = { kind: 'unvalued', coinId, quantity: negate(quantity) }
    firsts.push({ txId: `first price of ${coinId}`, atMs: first.atMs - 1, postings: [posting, note] })
  }
  // The sort is stable, so a first price comes before the transactions of the same instant.
  return [...firsts, ...entries].sort((a, b) => a.atMs - b.atMs)
}
