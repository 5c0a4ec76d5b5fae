import { compare, decimal, divide, formatDecimal, fromRaw, multiply, ZERO } from '../../db/values/decimal.ts'
import type { Payment } from './nft-data.ts'

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Prices in USD by coin. */
export type Quotes = ReadonlyMap<string, string>

/** The coin of a payment; null: unknown token */
export function paymentCoin(
  payment: Payment,
  known: { nativeCoinId: string; coins: ReadonlyMap<string, string> },
): string | null {
  return payment.token === ZERO_ADDRESS ? known.nativeCoinId : (known.coins.get(payment.token) ?? null)
}

/** The amount paid per token. */
export function unitAmount({ payment, quantity }: { payment: Payment; quantity: string }): string {
  return formatDecimal(divide(fromRaw(BigInt(payment.raw), payment.decimals), decimal(quantity)))
}

/** Converts an amount from one coin to another; null when either has no price. */
export function convertAmount(
  amount: string,
  options: { from: string | null; to: string; quotes: Quotes },
): string | null {
  const { from, to, quotes } = options
  if (from === to) return amount
  const [usd, perUnit] = [from === null ? undefined : quotes.get(from), quotes.get(to)]
  if (usd === undefined || perUnit === undefined || compare(decimal(perUnit), ZERO) <= 0) return null
  return formatDecimal(divide(multiply(decimal(amount), decimal(usd)), decimal(perUnit)))
}
