import { findFold } from '../../db/pnl/lots/folds.ts'
import { COUNTRIES, type Country, type CountryId } from '../../db/pnl/tax/countries.ts'
import { type NoReport, readTaxReport } from '../../db/pnl/tax/read-tax.ts'
import { type TaxReport, taxReport } from '../../db/pnl/tax/tax-report.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type ApiError, invalidParameter, notSynced } from '../errors.ts'
import { computedSet } from './holding-set.ts'
import type { SelectedPortfolios } from './select-portfolios.ts'

/** More rows make an answer of several megabytes. */
const MOST_ROWS = 10_000

/** Throws 400 with the reason for a country that has no report. */
export function requireCountry(id: CountryId): void {
  const { unsupported }: Country = COUNTRIES[id]
  if (unsupported !== undefined) throw invalidParameter('country', unsupported)
}

/**
 * The tax report of some portfolios. Throws 409 while their figures are being computed, and 400 for a year with too
 * many rows or a currency that it cannot have.
 */
export async function readReport(
  db: ReadonlyDb,
  input: { selected: SelectedPortfolios; year: number; country: CountryId; currency: string },
): Promise<TaxReport> {
  const { selected, ...asked } = input
  const set = await computedSet(db, selected)
  const foldId = set && (await findFold(db, set))
  if (foldId === null) return emptyReport(asked)
  const { accountId } = selected
  const report = await readTaxReport(db, { ...asked, foldId, accountId, most: MOST_ROWS })
  if (typeof report === 'string') throw refusalOf(report)
  return report
}

/** Of portfolios that never held anything. */
const emptyReport = (of: Pick<TaxReport, 'year' | 'country' | 'currency'>): TaxReport =>
  taxReport({ ...of, method: 'fifo', disposals: [], income: [], rateAt: null })

function refusalOf(why: NoReport): ApiError {
  switch (why) {
    case 'lots are being computed':
      return notSynced()
    case 'average has no dates':
      return invalidParameter('currency', 'By average it must be USD, because lots have no dates')
    case 'currency has no rate':
      return invalidParameter('currency', 'It has no rates')
    case 'too many rows':
      return invalidParameter(
        'year',
        `It has more than ${MOST_ROWS} rows: use "sluice report tax" or the export of disposals`,
      )
  }
}
