import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { describeCoins } from '../../db/pnl/lots/read-coins.ts'
import { pricesInForce } from '../../db/pnl/valuation/prices-in-force.ts'
import { readRatesAt } from '../../db/prices/read-rates.ts'
import { decimal, divide, formatDecimal, toNumber as nearest } from '../../db/values/decimal.ts'
import { fiatOf, isFiatCoin } from '../../db/values/fiat-coin.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { additionForbidden, invalidParameter, notFound, shareTokenRequired } from '../errors.ts'
import { amountField, identifierField } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { recomputePortfolio } from '../../db/portfolios/commands.ts'
import { describePortfolio } from './describe-portfolio.ts'
import { manualTransaction } from './manual-transaction.ts'
import { portfolioTransaction, portfolioTransactionSchema } from './portfolio-transaction.ts'
import { selectPortfolios } from './select-portfolios.ts'
import { shareHeaders, shareParams } from './share-params.ts'

/** The year in which Bitcoin began. */
const FIRST_MS = Date.UTC(2009, 0, 1)
const DIGITS = /^[A-Z0-9]{2,10}$/

const body = z.strictObject({
  coinId: identifierField().describe('Id of a coin, or `FiatCoin` followed by the code of a currency'),
  count: amountField()
    .refine((count) => count !== 0, 'not 0')
    .describe('Negative for a sale'),
  date: z
    .int()
    .min(FIRST_MS)
    .max(253_402_300_799_999)
    .optional()
    .describe('Unix time in milliseconds; now when absent'),
  price: amountField()
    .min(0)
    .optional()
    .describe('Price of one in `currency`; the price at that instant when absent'),
  currency: z
    .string()
    .transform((code) => code.toUpperCase())
    .pipe(z.string().regex(DIGITS))
    .default('USD'),
  notes: z
    .string()
    .regex(/^[^\p{C}]{0,1000}$/u)
    .transform((text) => text.normalize('NFC'))
    .optional(),
  portfolioId: identifierField().optional(),
})

export const postPortfolioTransaction = defineRoute({
  method: 'POST',
  path: '/portfolio/transaction',
  tag: 'Portfolios',
  summary: 'Add a transaction to a manual portfolio',
  description:
    'The figures of the portfolio are recomputed from the day of the transaction on; GET /portfolio/status returns `synced` when they are ready. When you sell more than is held, the missing amount is added at that instant.',
  query: z.object(shareParams),
  headers: shareHeaders,
  requestBody: body,
  response: portfolioTransactionSchema,
  credits: 4,
  plan: 'any',
  x402: null,
  async handler({ body: { coinId, currency, notes, portfolioId, ...input }, query, headers }, context) {
    const { db } = context
    const token = headers.sharetoken ?? query.shareToken
    if (portfolioId === undefined && token === undefined) throw shareTokenRequired()
    const { accountId, portfolios } = await selectPortfolios(context, {
      query: { ...query, portfolioId },
      headers,
    })
    const portfolio = portfolios[0]!
    if (accountId !== context.account?.id || portfolio.kind !== 'manual') throw additionForbidden()
    const now = context.now()
    const at = input.date === undefined ? now : new Date(input.date)
    if (at > now) throw invalidParameter('date')
    const description = await knownCoin(db, { coinId, now })
    const rates = await readRatesAt(db, { currency, instants: [at, now] })
    if (!rates) throw invalidParameter('currency')
    const [then, today] = rates.map(toNumber)
    const [priceThen, priceNow] = await pricesInForce(db, [
      { coinId, atMs: at.getTime() },
      { coinId, atMs: now.getTime() },
    ])
    const price = input.price === undefined ? null : text(input.price)
    const stored = priceThen ? formatDecimal(priceThen.usd) : null
    const id = uuidV7(now.getTime())
    const row = {
      id,
      at,
      coinId,
      count: text(input.count),
      note: notes || null,
      priceUsd: price === null ? stored : formatDecimal(divide(decimal(price), decimal(rates[0]!))),
    }
    const source = manualTransaction(row, {
      rates: { then: then!, now: today! },
      priceNow: priceNow ? nearest(priceNow.usd) : undefined,
      description,
    })
    return {
      body: portfolioTransaction(source, {
        info: describePortfolio(portfolio),
        descriptions: new Map(description ? [[coinId, description]] : []),
        spam: new Set(),
      }),
      asOf: null,
      writes: [{ kind: 'add', portfolioId: portfolio.id, ...row, at: at.toISOString(), price, currency }],
      commands: [recomputePortfolio(portfolio.id)],
    }
  },
})

/** The shortest decimal text that equals the number. */
const text = (value: number): string => formatDecimal(decimal(String(value)))

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
