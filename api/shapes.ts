import { z } from 'zod'
import {
  type Decimal,
  decimal,
  multiply,
  quotientToNumber,
  toNumber as nearestDouble,
} from '../db/values/decimal.ts'

export const pageMetaSchema = z
  .object({
    page: z.number().int(),
    limit: z.number().int(),
    itemCount: z.number().int().describe('Items on all pages'),
    pageCount: z.number().int(),
    hasPreviousPage: z.boolean(),
    hasNextPage: z.boolean(),
  })
  .meta({ title: 'PageMeta' })
export type PageMeta = z.infer<typeof pageMetaSchema>

export const pendingNames = z
  .array(z.string())
  .optional()
  .describe(
    'Only while something is missing: the wallets (`connectionId:address`) or portfolios (id) whose history is not complete or whose figures are being computed',
  )

/** `meta` of pages of a wallet. */
export const walletPageMetaSchema = pageMetaSchema
  .extend({ pending: pendingNames })
  .meta({ title: 'WalletPageMeta' })

/** `meta` of an answer that has one only to name what is missing. */
export const pendingMeta = z.object({ pending: pendingNames }).meta({ title: 'PendingMeta' }).optional()

export const pageMetaSimpleSchema = z
  .object({
    page: z.number().int(),
    limit: z.number().int(),
    pending: pendingNames,
  })
  .meta({ title: 'SimplePageMeta' })

export const tripleSchema = z
  .object({ USD: z.number(), BTC: z.number(), ETH: z.number() })
  .meta({ title: 'CurrencyAmounts' })

/** Exact amounts in USD, BTC and ETH as a triple. */
export const tripleOf = (amounts: Record<'usd' | 'btc' | 'eth', Decimal>): z.output<typeof tripleSchema> => ({
  USD: nearestDouble(amounts.usd),
  BTC: nearestDouble(amounts.btc),
  ETH: nearestDouble(amounts.eth),
})

/** Chart point with the time in Unix seconds (coins) or Unix milliseconds (wallets). */
export const pointSchema = (timeUnit: 'seconds' | 'milliseconds') =>
  z
    .tuple([z.number().int(), z.number(), z.number(), z.number()])
    .describe(`[Unix time in ${timeUnit}, USD, BTC, ETH]`)
export type Point4 = [timeUnix: number, usd: number, btc: number, eth: number]

export const syncStatusSchema = z
  .object({ status: z.enum(['syncing', 'synced']) })
  .meta({ title: 'SyncStatus' })

export function pageMeta(options: { page: number; limit: number; itemCount: number }): PageMeta {
  const { page, limit, itemCount } = options
  const pageCount = Math.ceil(itemCount / limit)
  return { ...options, pageCount, hasPreviousPage: page > 1, hasNextPage: page < pageCount }
}

/** The nearest double of a `numeric` column. Only here exact numbers become inexact. */
export const toNumber = (numeric: string): number => Number(numeric)

/** Converts an amount in USD to a currency; one USD is `perUsd` of it. */
export const convert = ({ usd, perUsd }: { usd: string; perUsd: string }): number =>
  perUsd === '1' ? toNumber(usd) : nearestDouble(multiply(decimal(usd), decimal(perUsd)))

/** Quotient of two `numeric` columns; 0 if the divisor is 0. */
export function ratio(above: string, below: string): number {
  const divisor = decimal(below)
  return divisor.coefficient === 0n ? 0 : quotientToNumber(decimal(above), divisor)
}

/** The earliest instant: the `asOf` of an answer made of several sources. null if there is none. */
export function oldest(instants: Iterable<Date | null | undefined>): Date | null {
  let earliest: Date | null = null
  for (const instant of instants) if (instant && (!earliest || instant < earliest)) earliest = instant
  return earliest
}
