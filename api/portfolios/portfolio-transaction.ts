import { z } from 'zod'
import type { CoinDescription } from '../../db/pnl/lots/read-coins.ts'
import { coinOf, coinSchema } from '../chain/coin.ts'
import type { Transaction } from '../../db/chain/served-transaction.ts'

/** Types of transactions in the contract. */
const TYPES = ['Sent', 'Received', 'Swap', 'Buy', 'Sell', 'Roll In', 'Dust Convert'] as const
type TransactionType = (typeof TYPES)[number]

const addresses = { toAddress: z.string().optional(), fromAddress: z.string().optional() }
const worth = {
  totalWorth: z.number().describe('Value at the instant of the transaction; 0 when unknown'),
  price: z.number().describe('Price of one at that instant; 0 when unknown'),
}

export const portfolioTransactionSchema = z
  .object({
    id: z
      .string()
      .optional()
      .describe('Id of a manual transaction, for PATCH and DELETE /portfolio/transaction/{id}'),
    transactionType: z
      .enum(TYPES)
      .describe('A transaction that only paid a fee, such as an approval, is `Sent` without transfers'),
    date: z.iso.datetime(),
    profitLoss: z
      .object({
        profit: z.number().describe('Change in value since the transaction; negated for outgoing amounts'),
        profitPercent: z.number(),
        currentValue: z.number(),
      })
      .describe('All 0 when unknown'),
    fee: z
      .object({ coin: coinSchema, count: z.number(), ...worth, ...addresses })
      .describe('`count` is 0 when no fee was paid'),
    portfolioInfo: z.object({ name: z.string(), icon: z.string() }),
    coinData: z
      .object({
        identifier: z.string(),
        count: z.number().describe('Negative when outgoing'),
        symbol: z.string(),
        totalWorth: worth.totalWorth,
        currentValue: z.number().describe('Value at the current price; 0 when unknown'),
      })
      .optional(),
    transfers: z
      .array(
        z.object({
          transferType: z.enum(['Received', 'Sent']),
          items: z.array(z.object({ coin: coinSchema, count: z.number(), ...worth, ...addresses })),
        }),
      )
      .optional(),
    note: z
      .string()
      .optional()
      .describe('Note of a manual transaction; for an exchange transaction, how an operator corrected it'),
  })
  .meta({ title: 'PortfolioTransaction' })
export type PortfolioTransaction = z.output<typeof portfolioTransactionSchema>

/** A transaction of any source, in the currency asked for. */
export interface SourceTransaction {
  /** of a manual transaction, which its owner may correct */
  id?: string
  transaction: Transaction
  /** the exchange converted small amounts into one coin */
  isDust?: boolean
  /** the coin of `transaction.coinData` */
  main: { coinId: string; totalWorth: number } | null
  note?: string | null
}

type Item = Transaction['transactions'][number]['items'][number]

/** Ids of every coin that a transaction shows. */
export function coinsOf({ transaction, main }: SourceTransaction): string[] {
  const items = transaction.transactions.flatMap((group) => group.items)
  return [
    ...items.flatMap(({ coin }) => (coin ? [coin.id] : [])),
    ...(transaction.fee ? [transaction.fee.coin.id] : []),
    ...(main ? [main.coinId] : []),
  ]
}

/** Brings a transaction into the form of the contract. */
export function portfolioTransaction(
  source: SourceTransaction,
  known: {
    info: PortfolioTransaction['portfolioInfo']
    descriptions: ReadonlyMap<string, CoinDescription>
    /** ids of tokens that are spam */
    spam: ReadonlySet<string>
  },
): PortfolioTransaction {
  const { transaction, main, note } = source
  const { coinData, fee } = transaction
  const coin = (own: NonNullable<Item['coin']>) =>
    coinOf(own.id, known.descriptions.get(own.id), { ...own, isFake: known.spam.has(own.id) })
  const mainCoin = { id: main?.coinId ?? '', name: '', symbol: coinData?.symbol ?? '', icon: '' }
  const itemOf = ({ coin: own, nft, count, totalWorth, toAddress, fromAddress }: Item) => ({
    coin: coin(own ?? { id: nft?.id ?? '', name: nft?.name ?? '', symbol: '', icon: nft?.icon ?? '' }),
    count,
    totalWorth,
    price: priceOf(count, totalWorth),
    ...(toAddress !== undefined && { toAddress }),
    ...(fromAddress !== undefined && { fromAddress }),
  })
  const transfers = transaction.transactions.flatMap(({ action, items }) =>
    // Rows of an older format have other actions until they are derived again.
    action === 'Received' || action === 'Sent' ? [{ transferType: action, items: items.map(itemOf) }] : [],
  )
  return {
    ...(source.id !== undefined && { id: source.id }),
    transactionType: typeOf(source),
    date: transaction.date,
    profitLoss: transaction.profitLoss ?? {
      profit: 0,
      profitPercent: 0,
      currentValue: coinData?.currentValue ?? 0,
    },
    fee: fee
      ? {
          coin: coin(fee.coin),
          count: fee.count,
          totalWorth: fee.totalWorth,
          price: priceOf(fee.count, fee.totalWorth),
        }
      : { coin: coin(mainCoin), count: 0, totalWorth: 0, price: 0 },
    portfolioInfo: known.info,
    ...(coinData &&
      main && { coinData: { identifier: main.coinId, ...coinData, totalWorth: main.totalWorth } }),
    ...(transfers.length > 0 && { transfers }),
    ...(note != null && { note }),
  }
}

function typeOf({ transaction: { type, coinData }, isDust }: SourceTransaction): TransactionType {
  if (isDust) return 'Dust Convert'
  const named = TYPES.find((name) => name === type)
  if (named) return named
  return type === 'Balance' && (coinData?.count ?? 0) > 0 ? 'Received' : 'Sent'
}

const priceOf = (count: number, totalWorth: number) => (count === 0 ? 0 : Math.abs(totalWorth / count))
