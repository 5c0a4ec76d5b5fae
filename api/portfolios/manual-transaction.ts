import type { CoinDescription } from '../../db/pnl/lots/read-coins.ts'
import type { ListedManualTransaction } from '../../db/portfolios/read-manual-transactions.ts'
import { coinOf } from '../chain/coin.ts'
import type { Rates } from '../../db/chain/served-transaction.ts'
import type { SourceTransaction } from './portfolio-transaction.ts'

/** Brings a manual transaction into the form of all sources. `priceNow` in USD; undefined when unknown. */
export function manualTransaction(
  row: ListedManualTransaction,
  context: { rates: Rates; priceNow: number | undefined; description: CoinDescription | undefined },
): SourceTransaction {
  const { rates, priceNow } = context
  const count = Number(row.count)
  const totalWorth = Math.abs(count) * Number(row.priceUsd ?? 0) * rates.then
  const currentValue = Math.abs(count) * (priceNow ?? 0) * rates.now
  const profit = (currentValue - totalWorth) * (count < 0 ? -1 : 1)
  const profitPercent = totalWorth === 0 ? 0 : (profit / totalWorth) * 100
  const { identifier: id, name, symbol, icon, isFiat } = coinOf(row.coinId, context.description)
  const [bought, sold] = isFiat ? ['Received', 'Sent'] : ['Buy', 'Sell']
  const isKnown = priceNow !== undefined && row.priceUsd !== null
  return {
    id: row.id,
    transaction: {
      type: count < 0 ? sold! : bought!,
      date: row.at.toISOString(),
      mainContent: { coinIcons: icon === '' ? [] : [icon], coinAssets: [] },
      transactions: [
        {
          action: count < 0 ? 'Sent' : 'Received',
          items: [{ id: row.id, count, totalWorth, coin: { id, name, symbol, icon } }],
        },
      ],
      coinData: { count, symbol, currentValue },
      ...(isKnown && { profitLoss: { profit, profitPercent, currentValue } }),
    },
    main: { coinId: row.coinId, totalWorth },
    note: row.note,
  }
}
