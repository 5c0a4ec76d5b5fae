import { z } from 'zod'
import type { ExchangeTransactionKind, VenueRole } from '../../db/exchanges/tables.ts'
import { decimal, formatDecimal, isZero, negate } from '../../db/values/decimal.ts'
import { decimalField, millisecondsField } from '../fields.ts'
import { parseRows } from '../parse-rows.ts'
import { page } from './rows.ts'
import type { ExchangePage } from './exchange.ts'

const entrySchema = z.object({
  id: z.string().min(1),
  referenceId: z.string().nullish(),
  timestamp: millisecondsField,
  direction: z.enum(['in', 'out']),
  currency: z.string().min(1),
  amount: decimalField,
  fee: z.object({ currency: z.string().nullish(), cost: decimalField.nullish() }).nullish(),
  status: z.string().nullish(),
  info: z.object({ type: z.string(), subtype: z.string().nullish() }),
})
/** What tells the kind of an entry. */
type Kind = Pick<z.output<typeof entrySchema>, 'direction' | 'info'>

export interface LedgerMeaning {
  kind: ExchangeTransactionKind
  role?: VenueRole
  type: 'deposit' | 'withdraw' | 'executed' | 'balance'
}

export interface LedgerSpec {
  /** Classifies an entry; null: another list has it */
  meaningOf: (entry: Kind) => LedgerMeaning | null
  /** True: an amount is the change of the balance, fee included. */
  feeIncluded: boolean
}

/** Rows from entries of an exchange's ledger. */
export function ledgerPage(
  entries: readonly unknown[],
  { meaningOf, feeIncluded }: LedgerSpec,
): ExchangePage {
  // What another list has is not looked at further.
  const own = entries.filter((entry) => meaningOf(entry as Kind) !== null)
  const { rows, quarantined } = parseRows(entrySchema, own)
  return page(entries, {
    quarantined,
    rows: rows.flatMap((entry) => {
      const meaning = meaningOf(entry)
      if (!meaning) return []
      const cost = entry.fee?.cost ?? null
      const paid = !feeIncluded && cost !== null && !isZero(decimal(cost))
      return [
        {
          ...meaning,
          key: entry.id,
          at: entry.timestamp,
          status: statusOf(entry.status),
          // Both sides of a conversion share this reference.
          symbol: null,
          order_id: entry.referenceId ?? null,
          asset: entry.currency,
          amount: entry.direction === 'in' ? entry.amount : formatDecimal(negate(decimal(entry.amount))),
          quote_asset: null,
          quote_amount: null,
          fee_asset: paid ? (entry.fee?.currency ?? entry.currency) : null,
          fee_amount: paid ? cost : null,
          network: null,
          address: null,
          tx_hash: null,
        },
      ]
    }),
  })
}

function statusOf(status: string | null | undefined): 'ok' | 'pending' | 'failed' {
  if (status === 'failed' || status === 'canceled') return 'failed'
  return status === 'pending' ? 'pending' : 'ok'
}
