import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { decimal } from '../../values/decimal.ts'
import type { CostMethod } from '../lots/lot-pool.ts'
import { fiatRates } from '../valuation/price-book.ts'
import type { CountryId } from './countries.ts'
import { type TaxDisposal, type TaxIncome, taxReport, type TaxReport } from './tax-report.ts'

interface Year {
  foldId: string
  /** whose own transfers are named */
  accountId: string
  /** UTC */
  year: number
}

/** Why there is no report. */
export type NoReport =
  | 'lots are being computed'
  | 'average has no dates'
  | 'currency has no rate'
  | 'too many rows'

/** The report of a fold and year. `most`: rows that it may have. */
export async function readTaxReport(
  db: ReadonlyDb,
  input: Year & { country: CountryId; currency: string; most?: number },
): Promise<TaxReport | NoReport> {
  const { country, currency, year, most = Infinity } = input
  const fold = await readFold(db, input.foldId)
  if (!fold.has_uses) return 'lots are being computed'
  const { method } = fold
  if (currency !== 'USD' && method === 'average') return 'average has no dates'
  const disposals = await readDisposals(db, input)
  const income = await readIncome(db, input)
  if (disposals.length + income.length > most) return 'too many rows'
  const rateAt = currency === 'USD' ? null : await ratesOf(db, { currency, year, disposals })
  if (currency !== 'USD' && !rateAt) return 'currency has no rate'
  return taxReport({ country, year, currency, method, disposals, income, rateAt })
}

async function readFold(db: ReadonlyDb, foldId: string): Promise<{ method: CostMethod; has_uses: boolean }> {
  const rows = await readSql(
    db,
    sql<{ method: CostMethod; has_uses: boolean }>`
      select method, uses_revision is not distinct from revision as has_uses from folds where id = ${foldId}`,
  )
  return rows[0]!
}

async function ratesOf(
  db: ReadonlyDb,
  { currency, year, disposals }: { currency: string; year: number; disposals: readonly TaxDisposal[] },
) {
  const toMs = Date.UTC(year + 1, 0)
  const fromMs = disposals.reduce(
    (first, { acquiredAt }) => Math.min(first, acquiredAt?.getTime() ?? first),
    Date.UTC(year, 0),
  )
  const rateAt = await fiatRates({ db, currency, fromMs, toMs })
  return rateAt && ((atMs: number) => rateAt(atMs).usd)
}

/** Disposals of a fold in a UTC year, in order. */
async function readDisposals(db: ReadonlyDb, input: Year): Promise<TaxDisposal[]> {
  const rows = await readSql(
    db,
    sql<{
      coin_id: string
      disposed_at: Date
      acquired_at: Date | null
      reason: string
      quantity: string
      proceeds_usd: string
      cost_usd: string
      fee_usd: string
      uncovered: boolean
      book_id: string
      tx_id: string
      acquired_book_id: string | null
      acquired_tx_id: string | null
      own_transfer: boolean
      income_usd: string | null
    }>`
      select d.coin_id, disposed_at, acquired_at, reason, quantity, proceeds_usd, cost_usd, fee_usd, uncovered, d.book_id, tx_id,
        acquired_book_id, acquired_tx_id, income_usd, reason = 'send' and exists (
          select from transfer_matches m join scopes s on s.id = m.scope_id
          where s.account_id = ${input.accountId} and m.from_book_id = d.book_id and m.from_tx_id = d.tx_id
            and m.coin_id = d.coin_id) as own_transfer
      from disposals d where fold_id = ${input.foldId} and ${inYear(input)} order by disposed_at, d.seq, position`,
  )
  return rows.map((row) => ({
    coinId: row.coin_id,
    disposedAt: row.disposed_at,
    acquiredAt: row.acquired_at,
    reason: row.reason,
    quantity: decimal(row.quantity),
    proceedsUsd: decimal(row.proceeds_usd),
    costUsd: decimal(row.cost_usd),
    feeUsd: decimal(row.fee_usd),
    uncovered: row.uncovered,
    bookId: row.book_id,
    txId: row.tx_id,
    acquiredBookId: row.acquired_book_id,
    acquiredTxId: row.acquired_tx_id,
    isOwnTransfer: row.own_transfer,
    incomeUsd: row.income_usd === null ? null : decimal(row.income_usd),
  }))
}

/** What a fold received for nothing in a UTC year, in order. */
async function readIncome(db: ReadonlyDb, input: Year): Promise<TaxIncome[]> {
  const rows = await readSql(
    db,
    sql<{
      coin_id: string
      acquired_at: Date
      role: string
      quantity: string
      worth_usd: string
      book_id: string
      tx_id: string
    }>`
      select coin_id, acquired_at, role, quantity, worth_usd, book_id, tx_id from acquisitions
      where fold_id = ${input.foldId} and reason = 'income' and ${inYear(input)} order by acquired_at, seq`,
  )
  return rows.map((row) => ({
    coinId: row.coin_id,
    acquiredAt: row.acquired_at,
    role: row.role,
    quantity: decimal(row.quantity),
    worthUsd: decimal(row.worth_usd),
    bookId: row.book_id,
    txId: row.tx_id,
  }))
}

const inYear = ({ year }: Year): RawBuilder<boolean> =>
  sql`day >= ${new Date(Date.UTC(year, 0))} and day < ${new Date(Date.UTC(year + 1, 0))}`
