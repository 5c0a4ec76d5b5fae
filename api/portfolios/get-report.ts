import { z } from 'zod'
import { readPortfolioBooks } from '../../db/pnl/books.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { COUNTRY_IDS } from '../../db/pnl/tax/countries.ts'
import { reportCsv } from '../../db/pnl/tax/report-csv.ts'
import { type TaxReport, TERMS } from '../../db/pnl/tax/tax-report.ts'
import { formatDecimal as text } from '../../db/values/decimal.ts'
import { currencyParam, enumParam, integerParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pendingMeta } from '../shapes.ts'
import { ageOf, pendingOf } from './holding-set.ts'
import { readReport, requireCountry } from './read-report.ts'
import { portfolioParams, selectPortfolios } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

const amount = (description: string) => z.string().describe(`${description}, exact decimal`)
const sums = {
  proceeds: amount('Proceeds after fees'),
  cost: amount('Cost basis with fees'),
  gain: amount('Proceeds less cost'),
}
const totalSchema = z.object({ disposals: z.number().int(), ...sums }).meta({ title: 'TaxTotal' })
const transactionSchema = z
  .object({ portfolioId: z.string().nullable(), id: z.string() })
  .meta({ title: 'TaxTransaction' })

const responseSchema = z.object({
  year: z.number().int(),
  country: z.enum(COUNTRY_IDS),
  currency: z.string(),
  method: z.enum(COST_METHODS),
  totals: z.object({ short: totalSchema, long: totalSchema, unknown: totalSchema, all: totalSchema }),
  incomeTotal: amount('Worth of all income when it was received'),
  incomeInGains: amount(
    'Worth of income that the gains have again, because income has no cost: take it off from the gains if you declare the income. Null by average, which does not tell lots apart',
  ).nullable(),
  disposals: z.array(
    z.object({
      coinId: z.string(),
      acquiredAt: z.string().nullable().describe('Null: never acquired, or method average'),
      disposedAt: z.string(),
      term: z.enum(TERMS),
      reason: z.string().describe('trade, send, tradefee, fee or loss'),
      quantity: amount('Quantity taken from this lot'),
      ...sums,
      fee: amount('Fee that the proceeds no longer contain'),
      incomeWorth: amount(
        'Worth of the lot when it was received, if it was income: the gain has it again. Null: it was no income, or method average',
      ).nullable(),
      isUncovered: z.boolean().describe('True: it was never acquired, so its cost counts as 0'),
      isOwnTransfer: z.boolean().describe('True: it arrived in another portfolio of the account'),
      acquired: transactionSchema.nullable(),
      disposed: transactionSchema,
    }),
  ),
  income: z.array(
    z.object({
      coinId: z.string(),
      acquiredAt: z.string(),
      role: z.string().describe('airdrop, reward, interest, rebase or wrap'),
      quantity: amount('Quantity received'),
      worth: amount('Market value when it was received'),
      acquired: transactionSchema,
    }),
  ),
  warnings: z.array(z.string()).describe('What in this report needs attention'),
  notes: z.array(z.string()).describe('What the rules of the country need beyond it'),
  meta: pendingMeta,
})

export const getPortfolioReport = defineRoute({
  method: 'GET',
  path: '/portfolio/report',
  tag: 'Portfolios',
  summary: 'Disposals and income of a portfolio in a year, for a tax report',
  description:
    'A row for each lot that a sale, send or fee took, with both transactions, by the cost method of the portfolio, or of the account when all its portfolios are combined. Only combined portfolios know their own transfers: in the report of one, a transfer to another is a disposal, marked `isOwnTransfer`. With another currency than USD, proceeds convert at the rate of the disposal and cost at that of the acquisition; `average` has USD alone. Income has no cost, so its worth is in the gains again when it is sold: `incomeInGains` says how much, unless the method is `average`. With `Accept: text/csv` the answer is a line for each lot and receipt. It is no tax advice: read `warnings` and `notes`. 409 until a first history is complete, and while figures or lots are being computed.',
  query: z.object({
    ...portfolioParams,
    year: integerParam({ minimum: 2009, maximum: 9998, description: 'Calendar year in UTC', example: 2026 }),
    country: enumParam(
      COUNTRY_IDS,
      'Country whose line between short-term and long-term and whose notes apply; uk is refused, because shares are pooled there',
    ).default('generic'),
    currency: currencyParam(),
  }),
  headers: shareHeaders,
  response: responseSchema,
  credits: 25,
  plan: 'any',
  x402: null,
  needsSync: true,
  csv: true,
  async handler({ query, headers }, context) {
    const { db } = context
    const { year, country, currency } = query
    requireCountry(country)
    const selected = await selectPortfolios(context, { query, headers })
    const report = await readReport(db, { selected, year, country, currency })
    const ids = selected.portfolios.map(({ id }) => id)
    const books = await readPortfolioBooks(db, ids)
    const portfolios = new Map([...books].map(([portfolioId, { id }]) => [id, portfolioId]))
    return {
      body: bodyOf(report, (bookId) => portfolios.get(bookId) ?? null),
      csv: () => reportCsv(report),
      asOf: ageOf(selected.portfolios),
      pending: pendingOf(selected),
    }
  },
})

function bodyOf(report: TaxReport, portfolioOf: (bookId: string) => string | null) {
  const { disposals, income, totals, incomeTotal, incomeInGains, ...rest } = report
  const sumsOf = ({ proceeds, cost, gain }: { [name in keyof typeof sums]: TaxReport['incomeTotal'] }) => ({
    proceeds: text(proceeds),
    cost: text(cost),
    gain: text(gain),
  })
  const totalOf = (of: keyof typeof totals) => ({
    disposals: totals[of].disposals,
    ...sumsOf(totals[of]),
  })
  const transaction = (bookId: string, id: string) => ({ portfolioId: portfolioOf(bookId), id })
  return {
    ...rest,
    totals: {
      short: totalOf('short'),
      long: totalOf('long'),
      unknown: totalOf('unknown'),
      all: totalOf('all'),
    },
    incomeTotal: text(incomeTotal),
    incomeInGains: incomeInGains && text(incomeInGains),
    disposals: disposals.map((one) => ({
      coinId: one.coinId,
      acquiredAt: one.acquiredAt?.toISOString() ?? null,
      disposedAt: one.disposedAt.toISOString(),
      term: one.term,
      reason: one.reason,
      quantity: text(one.quantity),
      ...sumsOf(one),
      fee: text(one.fee),
      incomeWorth: one.incomeWorth && text(one.incomeWorth),
      isUncovered: one.uncovered,
      isOwnTransfer: one.isOwnTransfer,
      acquired:
        one.acquiredBookId !== null && one.acquiredTxId !== null
          ? transaction(one.acquiredBookId, one.acquiredTxId)
          : null,
      disposed: transaction(one.bookId, one.txId),
    })),
    income: income.map((one) => ({
      coinId: one.coinId,
      acquiredAt: one.acquiredAt.toISOString(),
      role: one.role,
      quantity: text(one.quantity),
      worth: text(one.worth),
      acquired: transaction(one.bookId, one.txId),
    })),
  }
}
