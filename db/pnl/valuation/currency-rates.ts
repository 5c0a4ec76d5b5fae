import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { decimal, multiply } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { Money } from './money.ts'
import { createPriceBook, type PricePoint } from './price-book.ts'

/** Converts an amount at an instant to the currency. */
export type InCurrency = (money: Money, atMs: number) => Decimal

/**
 * Returns a converter for amounts of [fromMs, toMs] to USD, BTC, ETH or a fiat currency. A fiat amount uses
 * the rate in force at its own instant, carried forward over days without one; before the first rate, the
 * first one. Null: the currency has no rate.
 */
export async function currencyRates(input: {
  db: ReadonlyDb
  currency: string
  fromMs: number
  toMs: number
}): Promise<InCurrency | null> {
  const { currency } = input
  if (currency === 'USD') return (money) => money.usd
  if (currency === 'BTC') return (money) => money.btc
  if (currency === 'ETH') return (money) => money.eth
  const rateAt = await fiatRates(input)
  return rateAt && ((money, atMs) => multiply(money.usd, rateAt(atMs).usd))
}

/** Returns the rates of a fiat currency. Their `usd` is the price of one USD in it. Null: it has no rate. */
export async function fiatRates(input: {
  db: ReadonlyDb
  currency: string
  fromMs: number
  toMs: number
}): Promise<((atMs: number) => PricePoint) | null> {
  const { currency } = input
  const rows = await readSql(
    input.db,
    sql<{ at: Date; per_usd: string; source: string }>`
      select at, per_usd, source from fx_rates
      where currency = ${currency}
        and at <= greatest(${new Date(input.toMs)}, (select min(at) from fx_rates where currency = ${currency}))
        and at >= coalesce(
          (select max(at) from fx_rates where currency = ${currency} and at <= ${new Date(input.fromMs)}),
          (select min(at) from fx_rates where currency = ${currency}))`,
  )
  const book = createPriceBook(
    rows.map(({ at, per_usd, source }) => ({
      coinId: currency,
      atMs: at.getTime(),
      usd: decimal(per_usd),
      source,
    })),
  )
  const first = book.first(currency)
  return first && ((atMs) => book.pointAt(currency, atMs) ?? first)
}
