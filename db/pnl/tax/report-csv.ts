import { csvLine } from '../../values/csv-line.ts'
import { formatDecimal as text } from '../../values/decimal.ts'
import type { TaxReport } from './tax-report.ts'

/**
 * The disposals and the income of a report as CSV, a line each. The column `kind` tells them apart: income has
 * its worth as proceeds and no gain, so the column `gain` adds up to the report's total. `income` of a disposal is the
 * worth of the lot as income, which its gain has again.
 */
export function reportCsv({ disposals, income, currency }: TaxReport): string {
  const money = (name: string) => `${name}_${currency.toLowerCase()}`
  const lines = [
    csvLine([
      'kind',
      'coin',
      'acquired',
      'disposed',
      'term',
      'reason',
      'quantity',
      money('proceeds'),
      money('cost'),
      money('gain'),
      money('fee'),
      money('income'),
      'acquired_transaction',
      'transaction',
    ]),
    ...disposals.map((one) =>
      csvLine([
        'disposal',
        one.coinId,
        one.acquiredAt?.toISOString(),
        one.disposedAt.toISOString(),
        one.term,
        one.reason,
        text(one.quantity),
        text(one.proceeds),
        text(one.cost),
        text(one.gain),
        text(one.fee),
        one.incomeWorth && text(one.incomeWorth),
        one.acquiredTxId,
        one.txId,
      ]),
    ),
    ...income.map((one) =>
      csvLine([
        'income',
        one.coinId,
        one.acquiredAt.toISOString(),
        null,
        null,
        one.role,
        text(one.quantity),
        text(one.worth),
        null,
        null,
        null,
        text(one.worth),
        one.txId,
        null,
      ]),
    ),
  ]
  return lines.join('')
}
