import { z } from 'zod'
import { describeCoins } from '../../db/pnl/lots/read-coins.ts'
import { shownPrices } from '../../db/pnl/valuation/shown-prices.ts'
import type { StatedTransaction } from '../../db/portfolios/portfolio-write.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { decimal, divide, formatDecimal, toNumber as nearest } from '../../db/values/decimal.ts'
import { fiatOf, isFiatCoin } from '../../db/values/coins.ts'
import { invalidParameter, notFound } from '../errors.ts'
import { amountField, identifierField } from '../body-fields.ts'
import { A_CURRENCY, unknownCurrency } from '../params.ts'
import { IN_FUTURE } from '../reasons.ts'
import { toNumber } from '../shapes.ts'
import { describePortfolio } from './describe-portfolio.ts'
import { manualTransaction } from './manual-transaction.ts'
import { type PortfolioTransaction, portfolioTransaction } from './portfolio-transaction.ts'

/** The year in which Bitcoin began. */
export const FIRST_MS = Date.UTC(2009, 0, 1)
const DIGITS = /^[A-Z0-9]{2,10}$/

/** Fields of a body that states or corrects a manual transaction. */
export const statedFields = {
  coinId: identifierField().describe('Id of a coin, or `FiatCoin` followed by the code of a currency'),
  count: amountField()
    .refine((count) => count !== 0, 'It must not be 0')
    .describe('Negative for a sale'),
  date: z.int().min(FIRST_MS).max(253_402_300_799_999).describe('Unix time in milliseconds'),
  price: amountField().min(0).describe('Price of one in `currency`'),
  currency: z
    .string()
    .transform((code) => code.toUpperCase())
    .pipe(z.string().regex(DIGITS, `It must be ${A_CURRENCY}`)),
  notes: z
    .string()
    .regex(/^[^\p{C}]{0,1000}$/u, 'It must be at most 1000 characters without control characters')
    .transform((text) => text.normalize('NFC')),
}

/** A manual transaction as its owner states it. */
export type Stated = Omit<StatedTransaction, 'at' | 'priceUsd'> & { at: Date }

/** The shortest decimal text that equals the number. */
export const exactText = (value: number): string => formatDecimal(decimal(String(value)))

/**
 * Checks what the owner states, and returns what is stored and answered. Throws 404 for an unknown coin, 400
 * for a date in the future or an unknown currency.
 */
export async function statedTransaction(
  { db, now }: { db: ReadonlyDb; now: Date },
  { stated, portfolio }: { stated: Stated; portfolio: Portfolio },
): Promise<{ row: StatedTransaction; body: PortfolioTransaction }> {
  const { coinId, at, price, currency } = stated
  if (at > now) throw invalidParameter('date', IN_FUTURE)
  const description = await knownCoin(db, { coinId, now })
  const rates = await readRatesAt(db, { currency, instants: [at, now] })
  if (!rates) throw unknownCurrency()
  const [then, today] = rates.map(toNumber)
  const [priceThen, priceNow] = await shownPrices(db, [
    { coinId, atMs: at.getTime() },
    { coinId, atMs: now.getTime() },
  ])
  const inForce = priceThen ? formatDecimal(priceThen.usd) : null
  const priceUsd = price === null ? inForce : formatDecimal(divide(decimal(price), decimal(rates[0]!)))
  const source = manualTransaction(
    { ...stated, priceUsd },
    {
      rates: { then: then!, now: today! },
      priceNow: priceNow ? nearest(priceNow.usd) : undefined,
      description,
    },
  )
  return {
    row: { ...stated, at: at.toISOString(), priceUsd },
    body: portfolioTransaction(source, {
      info: describePortfolio(portfolio),
      descriptions: new Map(description ? [[coinId, description]] : []),
      spam: new Set(),
    }),
  }
}

/** Description of a coin; undefined for a currency, which has only rates. Throws 404 for an unknown id. */
async function knownCoin(db: ReadonlyDb, { coinId, now }: { coinId: string; now: Date }) {
  if (isFiatCoin(coinId)) {
    const currency = fiatOf(coinId)
    if (DIGITS.test(currency) && (await readRatesAt(db, { currency, instants: [now] }))) return undefined
  } else {
    const description = (await describeCoins(db, [coinId])).get(coinId)
    if (description) return description
  }
  throw notFound(`Coin with id '${coinId}' not found`)
}
