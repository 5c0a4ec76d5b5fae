import { ApiError } from '../../api/errors.ts'
import { computedSet } from '../../api/portfolios/holding-set.ts'
import type { SelectedPortfolios } from '../../api/portfolios/select-portfolios.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { COUNTRIES, type Country } from '../../db/pnl/tax/countries.ts'
import { type NoReport, readTaxReport } from '../../db/pnl/tax/read-tax.ts'
import { reportCsv } from '../../db/pnl/tax/report-csv.ts'
import { type TaxReport, TERMS } from '../../db/pnl/tax/tax-report.ts'
import { readPortfolio, readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { decimal, divide, formatDecimal } from '../../db/values/decimal.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { CommandError, UsageError } from '../command.ts'
import type { GivenOf } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRows } from '../print.ts'
import type { REPORT } from '../specs/report.ts'

type Tax = GivenOf<typeof REPORT, 'tax'>

const WAIT = 'its figures or lots are being computed, or its history is not complete; see "sluice status"'
const REFUSALS: Record<NoReport, string> = {
  'lots are being computed': WAIT,
  'average has no dates': 'by average the currency must be USD, because lots have no dates',
  'currency has no rate': 'the currency has no rates',
  'too many rows': 'it has too many rows',
}

/** Prints totals, or all rows as JSON or CSV. */
export async function run(given: Tax): Promise<void> {
  const { portfolio, account, country } = given
  if ((portfolio === undefined) === (account === undefined))
    throw new UsageError('give --portfolio or --account, and not both')
  const { unsupported }: Country = COUNTRIES[country]
  if (unsupported !== undefined) throw new CommandError(`no report for ${country}: ${unsupported}.`)
  const report =
    account === undefined
      ? await withOperatorDatabase(async (db) => reportOf(asReader(db), given, await one(db, portfolio!)))
      : await withAccount(account, async (db, accountId) => {
          const portfolios = await readPortfolios(asReader(db), { accountId })
          return reportOf(asReader(db), given, { accountId, portfolios, isWhole: true })
        })
  if (given.csv) process.stdout.write(reportCsv(report))
  else if (given.json) console.log(jsonOf(report))
  else printTotals(report, given)
}

const asReader = (db: Db) => db as unknown as ReadonlyDb

async function one(db: Db, portfolioId: string): Promise<SelectedPortfolios> {
  const row = isUuid(portfolioId)
    ? await db.selectFrom('portfolios').select('account_id').where('id', '=', portfolioId).executeTakeFirst()
    : undefined
  const accountId = row?.account_id
  const found = accountId && (await readPortfolio(asReader(db), { accountId, portfolioId }))
  if (!found) throw new CommandError(`no portfolio ${portfolioId}; see "sluice portfolios list"`)
  return { accountId: found.accountId, portfolios: [found], isWhole: false }
}

async function reportOf(db: ReadonlyDb, given: Tax, selected: SelectedPortfolios): Promise<TaxReport> {
  const { year, country } = given
  const currency = given.currency.toUpperCase()
  const set = await computedSet(db, selected).catch((error: unknown) => {
    throw error instanceof ApiError ? new CommandError(`no report: ${WAIT}`) : error
  })
  const foldId = set && (await findFold(db, set))
  if (foldId === null) throw new CommandError('no report: it never held anything')
  const { accountId } = selected
  const report = await readTaxReport(db, { foldId, accountId, year, country, currency })
  if (typeof report === 'string') throw new CommandError(`no report: ${REFUSALS[report]}`)
  return report
}

function pageOf({ year, country, currency, portfolio }: Tax): string {
  const asked = {
    year: String(year),
    country,
    currency: currency.toUpperCase(),
    ...(portfolio !== undefined && { portfolio }),
  }
  return `/account/report?${new URLSearchParams(asked).toString()}`
}

/** Amounts are texts, so that no digit is lost. */
const jsonOf = (report: TaxReport): string =>
  JSON.stringify(report, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'coefficient' in value
      ? formatDecimal(value as TaxReport['incomeTotal'])
      : value,
  )

function printTotals({ totals, incomeTotal, income, currency, ...report }: TaxReport, given: Tax): void {
  const amount = (value: TaxReport['incomeTotal']) => `${formatDecimal(rounded(value))} ${currency}`
  const terms = [...TERMS, 'all'] as const
  printRows(
    terms.map((term) => {
      const { disposals, proceeds, cost, gain } = totals[term]
      return { term, disposals, proceeds: amount(proceeds), cost: amount(cost), gain: amount(gain) }
    }),
    given,
  )
  console.log(
    `\n${report.year}, by ${report.method}. Income: ${amount(incomeTotal)} in ${income.length} ${income.length === 1 ? 'receipt' : 'receipts'}.`,
  )
  for (const warning of report.warnings) console.log(`Warning: ${warning}`)
  for (const note of report.notes) console.log(`Note: ${note}`)
  console.log(`Its owner prints it from ${pageOf(given)} of the account pages.`)
}

/** To cents. */
const rounded = (value: TaxReport['incomeTotal']) => divide(value, decimal('1'), 2)
