import type { ReadonlyDb } from '../../db/connect.ts'
import { pricesInForce } from '../../db/pnl/prices-in-force.ts'
import { type CoinDescription, describeCoins } from '../../db/pnl/read-coins.ts'
import type { ListedManualTransaction } from '../../db/portfolios/read-manual-transactions.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { isFiatCoin } from '../../db/values/fiat-coin.ts'
import { coinOf } from '../wallet/coin.ts'
import type { Rates } from '../wallet/transaction.ts'
import type { SourceTransaction } from './portfolio-transaction.ts'

/** Transactions stated by hand as ones of any source, in their order. `prices`: of coins now, in USD. */
export async function manualTransactions(
  db: ReadonlyDb,
  options: {
    rows: readonly { row: ListedManualTransaction; rates: Rates }[]
    prices: ReadonlyMap<string, number>
    now: Date
  },
): Promise<SourceTransaction[]> {
  const { rows, prices, now } = options
  const coinIds = [...new Set(rows.map(({ row }) => row.coinId))]
  const fiats = coinIds.filter(isFiatCoin)
  const worths = await pricesInForce(
    db,
    fiats.map((coinId) => ({ coinId, atMs: now.getTime() })),
  )
  const fiatPrices = new Map(
    fiats.flatMap((coinId, i) => (worths[i] ? [[coinId, toNumber(worths[i].usd)] as const] : [])),
  )
  const descriptions = await describeCoins(db, coinIds)
  return rows.map(({ row, rates }) =>
    sourceOf(row, {
      rates,
      priceNow: prices.get(row.coinId) ?? fiatPrices.get(row.coinId),
      description: descriptions.get(row.coinId),
    }),
  )
}

function sourceOf(
  row: ListedManualTransaction,
  context: { rates: Rates; priceNow: number | undefined; description: CoinDescription | undefined },
): SourceTransaction {
  const { rates, priceNow } = context
  const count = Number(row.count)
  const totalWorth = Math.abs(count) * Number(row.priceUsd ?? 0) * rates.then
  const currentValue = Math.abs(count) * (priceNow ?? 0) * rates.now
  const profit = (currentValue - totalWorth) * (count < 0 ? -1 : 1)
  const profitPercent = totalWorth === 0 ? 0 : (profit / totalWorth) * 100
  const { identifier: id, name, symbol, icon } = coinOf(row.coinId, context.description)
  const isKnown = priceNow !== undefined && row.priceUsd !== null
  return {
    transaction: {
      type: count < 0 ? 'Sell' : 'Buy',
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
