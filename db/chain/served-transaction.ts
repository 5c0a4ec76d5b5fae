import { z } from 'zod'
import type { ServedRow } from './served-row.ts'
import { appendFields, convertStored, storedTransactionSchema } from './stored-transaction.ts'

export const transactionSchema = storedTransactionSchema.extend({
  coinData: z
    .object({
      count: z.number().describe('Negative when it left the wallet'),
      symbol: z.string(),
      currentValue: z.number().describe('Value at the current price, 0 when unknown'),
    })
    .optional(),
  profitLoss: z
    .object({
      profit: z
        .number()
        .describe('Change in value since the transaction; negated for coins that left the wallet'),
      profitPercent: z.number(),
      currentValue: z.number(),
    })
    .optional(),
})
export type Transaction = z.infer<typeof transactionSchema>

export interface Rates {
  /** Units of the currency for one USD, at the time of the transaction and now. */
  then: number
  now: number
}

const USD: Rates = { then: 1, now: 1 }

/** The fields that depend on current prices. Doubles suffice: the values are shown, never summed. */
function movingFields(
  { main }: ServedRow,
  prices: ReadonlyMap<string, number>,
  rates: Rates,
): Pick<Transaction, 'coinData' | 'profitLoss'> {
  if (!main) return {}
  const price = prices.get(main.coinId)
  const count = Number(main.count)
  const currentValue = Math.abs(count) * (price ?? 0) * rates.now
  const coinData = { count, symbol: main.symbol, currentValue }
  if (price === undefined || main.valueUsd === null) return { coinData }
  const value = Number(main.valueUsd) * rates.then
  const profit = (currentValue - value) * (count < 0 ? -1 : 1)
  return {
    coinData,
    profitLoss: { profit, profitPercent: value === 0 ? 0 : (profit / value) * 100, currentValue },
  }
}

/** JSON of a transaction in USD: the stored text unchanged, with the price-dependent fields appended. */
export function transactionJson(row: ServedRow, prices: ReadonlyMap<string, number>): string {
  return appendFields(row.fragment, movingFields(row, prices, USD))
}

/**
 * The same in another currency: past values at the transaction's rate, current values at the current rate.
 */
export function convertedJson(row: ServedRow, prices: ReadonlyMap<string, number>, rates: Rates): string {
  return JSON.stringify(convertedTransaction(row, prices, rates))
}

export function convertedTransaction(
  row: ServedRow,
  prices: ReadonlyMap<string, number>,
  rates: Rates,
): Transaction {
  return { ...convertStored(row.fragment, rates.then), ...movingFields(row, prices, rates) }
}
