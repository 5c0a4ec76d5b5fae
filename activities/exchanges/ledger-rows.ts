import { z } from 'zod'
import { decimal, formatDecimal, isZero, negate, sign } from '../../db/values/decimal.ts'
import { decimalField, millisecondsField } from '../fields.ts'
import { type Kind, meaningOf } from './kinds.ts'
import { page, rowsOrReasons } from './rows.ts'
import type { ExchangePage } from './exchange.ts'
import { meaningOfStatus, type StatusMeanings, unknownStatus } from './transfer-status.ts'

const entrySchema = z.object({
  id: z.string().min(1),
  referenceId: z.string().nullish(),
  timestamp: millisecondsField,
  direction: z.enum(['in', 'out']),
  currency: z.string().min(1),
  amount: decimalField,
  fee: z.object({ currency: z.string().nullish(), cost: decimalField.nullish() }).nullish(),
  status: z.string().nullish(),
  info: z.unknown(),
})
type Entry = z.output<typeof entrySchema>

/** What the exchange sent: fields of the entry, or its columns below `result`. */
export interface EntryInfo {
  type?: string | number
  subtype?: string | null
  result?: readonly unknown[]
}

export interface LedgerSpec {
  /** The exchange's name of the kind of an entry, from the entry as the exchange sent it. Default: its `type` */
  nameOf?: (info: EntryInfo) => string
  /** What each name means. */
  kinds: Readonly<Record<string, Kind>>
  /** True: an amount is the change of the balance, fee included. */
  feeIncluded: boolean
}

/**
 * Rows from entries of an exchange's ledger. An entry of a kind without a meaning is no income and no trade: its amount
 * is stored as an adjustment, so that the balance is right, with the exchange's name of the kind.
 */
export function ledgerPage(
  entries: readonly unknown[],
  spec: LedgerSpec,
  statuses?: StatusMeanings,
): ExchangePage {
  const { feeIncluded, kinds } = spec
  const nameOf = (info: unknown) => (spec.nameOf ?? typeOf)((info ?? {}) as EntryInfo)
  const kindOf = (name: string): Kind | undefined => (Object.hasOwn(kinds, name) ? kinds[name] : undefined)
  // What another list has is not looked at further.
  const own = entries.filter((entry) => kindOf(nameOf((entry as { info?: unknown }).info)) !== 'elsewhere')
  const rowsOf = (entry: Entry) => {
    // An entry without a status has changed the balance.
    const status = entry.status == null ? 'ok' : meaningOfStatus(entry.status, statuses)
    if (status === null) return unknownStatus(entry.status!)
    const name = nameOf(entry.info)
    const kind = kindOf(name)
    const meaning = meaningOf(kind ?? 'move', entry.direction)
    if (!meaning) return []
    const cost = entry.fee?.cost ?? null
    const paid = !feeIncluded && cost !== null && !isZero(decimal(cost))
    return [
      {
        ...meaning,
        unknown_kind: kind === undefined ? name : null,
        key: entry.id,
        at: entry.timestamp,
        status,
        // Both sides of a conversion share this reference.
        symbol: null,
        order_id: entry.referenceId ?? null,
        asset: entry.currency,
        amount: signed(entry),
        quote_asset: null,
        quote_amount: null,
        fee_asset: paid ? (entry.fee?.currency ?? entry.currency) : null,
        fee_amount: paid ? cost : null,
        network: null,
        address: null,
        tx_hash: null,
      },
    ]
  }
  return page(entries, rowsOrReasons(entrySchema, own, rowsOf))
}

const typeOf = ({ type }: EntryInfo): string => String(type)

/** CCXT's amounts have a sign for some exchanges; the direction counts. */
function signed({ direction, amount }: { direction: 'in' | 'out'; amount: string }): string {
  const isOut = sign(decimal(amount)) < 0
  return isOut === (direction === 'out') ? amount : formatDecimal(negate(decimal(amount)))
}
