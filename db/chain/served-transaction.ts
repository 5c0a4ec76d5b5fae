import { z } from 'zod'
import { appendFields, convertStored, storedTransactionSchema } from './stored-transaction.ts'

/**
 * The columns of `wallet_transactions` that a response needs. Read as single rows or as the text of a page.
 */
export interface ServedRow {
  /** The leg whose current value and profit are shown; null: an approval, an NFT or no known leg. */
  main: {
    coinId: string
    symbol: string
    /** Decimal text, negative when it left the wallet. */
    count: string
    /** Decimal text, at the price of the transaction's instant; null when it was never priced. */
    valueUsd: string | null
  } | null
  /** JSON text: see stored-transaction.ts */
  fragment: string
}

export interface ServedColumns {
  main_coin_id: string | null
  main_symbol: string | null
  main_count: string | null
  main_value_usd: string | null
  fragment: string
}

export function servedRow(row: ServedColumns): ServedRow {
  const main =
    row.main_coin_id === null
      ? null
      : {
          coinId: row.main_coin_id,
          symbol: row.main_symbol ?? '',
          count: row.main_count ?? '0',
          valueUsd: row.main_value_usd,
        }
  return { main, fragment: row.fragment }
}

/** JSON and numbers never contain these characters, and symbols are stored without control characters. */
const SEPARATOR = { rows: '\u001f', columns: '\u001e' }

const COLUMNS = [
  `coalesce(main_coin_id, '')`,
  `coalesce(main_symbol, '')`,
  `coalesce(main_count::text, '')`,
  `coalesce(main_value_usd::text, '')`,
  'fragment',
]

/** SQL that returns all rows of a page as one text, which is faster than parsing rows. See `rowsOf`. */
export const PAGE_TEXT = `concat_ws('${SEPARATOR.columns}',
  ${COLUMNS.map((column) => `string_agg(${column}, '${SEPARATOR.rows}')`).join(', ')})`

/** Parses the text of a page into its rows, in order. */
export function rowsOf(text: string): ServedRow[] {
  const columns = text.split(SEPARATOR.columns).map((column) => column.split(SEPARATOR.rows))
  const [coinIds, symbols, counts, values, fragments] = columns
  if (!coinIds || !symbols || !counts || !values || !fragments) return []
  return coinIds.map((coinId, i) => ({
    main:
      coinId === ''
        ? null
        : { coinId, symbol: symbols[i]!, count: counts[i]!, valueUsd: values[i]! === '' ? null : values[i]! },
    fragment: fragments[i]!,
  }))
}

export const transactionSchema = storedTransactionSchema
  .extend({
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
  .meta({ title: 'WalletTransaction' })
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
