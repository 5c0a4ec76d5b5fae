import { z } from 'zod'
import type { CoinDescription } from '../../db/pnl/read-coins.ts'
import { isFiatCoin } from '../../db/values/fiat-coin.ts'
import { coinOf, coinSchema } from '../wallet/coin-object.ts'

const amounts = {
  coin: coinSchema,
  count: z.number(),
  totalWorth: z.number().describe('At the instant of the transaction, 0 when unknown'),
  price: z.number().describe('Of one, at the instant of the transaction'),
  toAddress: z.string().optional(),
  fromAddress: z.string().optional(),
}

/** A transaction as everything under /portfolio lists it. */
export const portfolioTransactionSchema = z.object({
  transactionType: z
    .string()
    .describe('Label: Sent, Received, Swap, Buy, Sell, Roll In, Dust Convert, Approve, Balance, Fee'),
  date: z.iso.datetime(),
  profitLoss: z
    .object({ profit: z.number(), profitPercent: z.number(), currentValue: z.number() })
    .describe('Change of the worth since the transaction; negated for what was given away'),
  fee: z.object(amounts).describe('Counts are 0 where there was none'),
  portfolioInfo: z.object({ name: z.string(), icon: z.string() }),
  coinData: z
    .object({
      identifier: z.string(),
      count: z.number().describe('Negative: out'),
      symbol: z.string(),
      totalWorth: z.number(),
      currentValue: z.number(),
    })
    .optional(),
  transfers: z
    .array(z.object({ transferType: z.enum(['Received', 'Sent']), items: z.array(z.object(amounts)) }))
    .optional(),
  note: z.string().optional(),
})
export type PortfolioTransaction = z.output<typeof portfolioTransactionSchema>

/** A transaction that was stated by hand. Worths are doubles: they are shown, never summed up. */
export function manualTransaction(
  row: { at: Date; coinId: string; count: string; priceUsd: string | null; note: string | null },
  context: {
    portfolioInfo: { name: string; icon: string }
    description: CoinDescription | undefined
    /** USD for one of now; null: unknown. */
    priceNowUsd: number | null
    /** Units of the currency for one USD at the transaction, and now. */
    rates: { then: number; now: number }
  },
): PortfolioTransaction {
  const { description, priceNowUsd, rates } = context
  const coin = coinOf(row.coinId, description)
  const count = Number(row.count)
  const price = Number(row.priceUsd ?? 0) * rates.then
  const totalWorth = Math.abs(count) * price
  const currentValue = Math.abs(count) * (priceNowUsd ?? 0) * rates.now
  const isKnown = priceNowUsd !== null && row.priceUsd !== null
  const profit = isKnown ? (currentValue - totalWorth) * Math.sign(count) : 0
  const isIn = count > 0
  const [bought, sold] = isFiatCoin(row.coinId) ? ['Received', 'Sent'] : ['Buy', 'Sell']
  return {
    transactionType: isIn ? bought! : sold!,
    date: row.at.toISOString(),
    profitLoss: { profit, profitPercent: totalWorth === 0 ? 0 : (profit / totalWorth) * 100, currentValue },
    fee: { coin, count: 0, totalWorth: 0, price: 0 },
    portfolioInfo: context.portfolioInfo,
    coinData: { identifier: row.coinId, count, symbol: coin.symbol, totalWorth, currentValue },
    transfers: [{ transferType: isIn ? 'Received' : 'Sent', items: [{ coin, count, totalWorth, price }] }],
    ...(row.note !== null && { note: row.note }),
  }
}
