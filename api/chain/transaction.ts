import { z } from 'zod'
import type { ServedRow } from '../../db/chain/served-row.ts'
import { pageMetaSimpleSchema } from '../shapes.ts'

const coin = z.object({ id: z.string(), name: z.string(), symbol: z.string(), icon: z.string() })

const item = z.object({
  id: z.string(),
  count: z.number().describe('Negative: out'),
  totalWorth: z.number().describe('At the instant of the transaction, 0 when unknown'),
  coin: coin.optional(),
  nft: z.object({ id: z.string(), name: z.string(), icon: z.string() }).optional(),
  toAddress: z.string().optional(),
  fromAddress: z.string().optional(),
})

const transactionSchema = z.object({
  type: z.string().describe('Label: Received, Sent, Swap, Buy, Sell, Approve, Balance, Fee'),
  date: z.iso.datetime(),
  mainContent: z.object({ coinIcons: z.array(z.string()), coinAssets: z.array(z.string()) }),
  transactions: z.array(z.object({ action: z.string(), items: z.array(item) })),
  fee: z.object({ coin, count: z.number(), totalWorth: z.number() }).optional(),
  hash: z.object({ id: z.string(), explorerUrl: z.string() }).optional(),
  coinData: z
    .object({
      count: z.number().describe('Negative: out'),
      symbol: z.string(),
      currentValue: z.number().describe('At the price of now, 0 when unknown'),
    })
    .optional(),
  profitLoss: z
    .object({
      profit: z
        .number()
        .describe('Change of the worth since the transaction; negated for what was given away'),
      profitPercent: z.number(),
      currentValue: z.number(),
    })
    .optional(),
})
export const transactionPageSchema = z.object({
  meta: pageMetaSimpleSchema,
  result: z.array(transactionSchema),
})
export type Transaction = z.infer<typeof transactionSchema>

/** What a stored fragment holds. */
type Fragment = Omit<Transaction, 'coinData' | 'profitLoss'>

export interface Rates {
  /** Units of the currency for one USD at the transaction, and now. */
  then: number
  now: number
}

const USD: Rates = { then: 1, now: 1 }

/** The fields that follow the price of now. Doubles: worths are shown, never summed up. */
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

/** JSON of a transaction in USD: the stored text goes through as it is, the moving fields are appended. */
export function transactionJson(row: ServedRow, prices: ReadonlyMap<string, number>): string {
  const moving = JSON.stringify(movingFields(row, prices, USD))
  return moving === '{}' ? row.fragment : `${row.fragment.slice(0, -1)},${moving.slice(1)}`
}

export function dateOf(row: ServedRow): Date {
  return new Date((JSON.parse(row.fragment) as Fragment).date)
}

/** The same in another currency: worths with the rate of the transaction, current values with the rate of now. */
export function convertedJson(row: ServedRow, prices: ReadonlyMap<string, number>, rates: Rates): string {
  return JSON.stringify(convertedTransaction(row, prices, rates))
}

export function convertedTransaction(
  row: ServedRow,
  prices: ReadonlyMap<string, number>,
  rates: Rates,
): Transaction {
  const fragment = JSON.parse(row.fragment) as Fragment
  for (const worth of [fragment.fee, ...fragment.transactions.flatMap(({ items }) => items)])
    if (worth) worth.totalWorth *= rates.then
  return { ...fragment, ...movingFields(row, prices, rates) }
}
