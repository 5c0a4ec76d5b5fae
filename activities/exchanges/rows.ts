import { z } from 'zod'
import type { TransactionRow } from '../../db/exchanges/cursors.ts'
import { decimal, formatDecimal, isZero, multiply, negate, sign } from '../../db/values/decimal.ts'
import { decimalField, millisecondsField } from '../fields.ts'
import { parseRows, type QuarantinedRow } from '../parse-rows.ts'
import { meaningOf } from './kinds.ts'
import type { PageEnds } from './paging.ts'
import type { ExchangePage, OtherTransfers, TransferKind } from './exchange.ts'
import {
  meaningOfStatus,
  type StatusMeanings,
  type TransferStatus,
  unknownStatus,
} from './transfer-status.ts'

/** Turns CCXT's unified structures into rows. CCXT keeps numbers as text, so no digit is lost. */

const text = z.string().min(1).nullish()
const fee = z.object({ currency: text, cost: decimalField.nullish() }).nullish()

const tradeSchema = z.object({
  id: z.string().min(1),
  // Spot only: contracts have a settlement currency after a colon.
  symbol: z.string().regex(/^[^/:\s]+\/[^/:\s]+$/),
  timestamp: millisecondsField,
  side: z.enum(['buy', 'sell']),
  amount: decimalField,
  price: decimalField.nullish(),
  cost: decimalField.nullish(),
  order: text,
  fee,
  fees: z.array(fee).nullish(),
})
type Trade = z.output<typeof tradeSchema>

const transferSchema = z.object({
  id: text,
  txid: text,
  timestamp: millisecondsField,
  currency: z.string().min(1),
  amount: decimalField,
  status: text,
  fee,
  network: text,
  address: text,
})
type Transfer = z.output<typeof transferSchema>

type TradeKind = 'fill' | 'dust' | 'convert'

/** A page of fills or conversions. */
export function tradePage(trades: readonly unknown[], kind: TradeKind = 'fill'): ExchangePage {
  const rowsOf = (trade: Trade) => tradeRows(trade, kind)
  return page(trades, rowsOrReasons(tradeSchema, trades, rowsOf))
}

/** Each fee after the first becomes its own row. */
function tradeRows(trade: Trade, kind: TradeKind): TransactionRow[] | string {
  if (trade.cost == null && trade.price == null) return 'neither cost nor price'
  const [base, quote] = trade.symbol.split('/') as [string, string]
  const cost = trade.cost ?? formatDecimal(multiply(decimal(trade.price!), decimal(trade.amount)))
  const [first, ...others] = paidFees(trade.fees?.length ? trade.fees : [trade.fee])
  const key = `${trade.symbol}:${trade.id}`
  const common = {
    at: trade.timestamp,
    status: 'ok' as const,
    symbol: trade.symbol,
    order_id: trade.order ?? null,
    ...NO_TRANSFER,
  }
  const bought = trade.side === 'buy'
  return [
    {
      ...common,
      kind,
      key,
      type: 'executed',
      asset: base,
      amount: bought ? trade.amount : minus(trade.amount),
      quote_asset: quote,
      quote_amount: bought ? minus(cost) : cost,
      fee_asset: first?.asset ?? null,
      fee_amount: first?.amount ?? null,
    },
    ...others.map((paid, index): TransactionRow => ({
      ...common,
      kind: 'fee',
      key: `${key}:${index + 2}`,
      type: 'fee',
      asset: paid.asset,
      amount: minus(paid.amount),
      ...NO_TRADE,
    })),
  ]
}

/** A page of deposits and withdrawals. CCXT's word for another kind must be among `others`. */
export function mixedTransferPage(
  transfers: readonly unknown[],
  {
    others = {},
    statuses,
  }: { others?: OtherTransfers | undefined; statuses?: StatusMeanings | undefined } = {},
): ExchangePage {
  const byType = Object.groupBy(transfers, (transfer) => String((transfer as { type?: unknown }).type))
  const pages = Object.entries(byType).map(([type, items = []]) => {
    if (type === 'deposit') return transferPage(items, 'deposit', statuses)
    if (type === 'withdrawal' || type === 'withdraw') return transferPage(items, 'withdrawal', statuses)
    const other = others[type]
    // Without a meaning, it is not known either which way it goes.
    if (!other)
      return { rows: [], quarantined: items.map((payload) => ({ reason: unknownKind(type), payload })) }
    const meaning = meaningOf(other.kind, other.like === 'deposit' ? 'in' : 'out')
    const { rows, quarantined } = transferPage(items, other.like, statuses)
    return { quarantined, rows: rows.map((row) => ({ ...row, ...meaning })) }
  })
  return page(transfers, {
    rows: pages.flatMap(({ rows }) => rows),
    quarantined: pages.flatMap(({ quarantined }) => quarantined),
  })
}

const unknownKind = (name: string): string => `a kind without a meaning here: ${name}`

/**
 * A page of deposits or withdrawals. `kind` is given, since CCXT cannot tell it for every exchange. `statuses`: those of
 * the exchange that CCXT passes on.
 */
export function transferPage(
  transfers: readonly unknown[],
  kind: TransferKind,
  statuses?: StatusMeanings,
): ExchangePage {
  const rowOf = (transfer: Transfer) => {
    const { status: word, id, txid, amount } = transfer
    const status = word == null ? 'pending' : meaningOfStatus(word, statuses)
    if (status === null) return unknownStatus(word!)
    if (id == null && txid == null) return 'neither id nor transaction hash'
    // If the exchange includes the fee, CCXT subtracts it; the rest cannot be negative.
    if (sign(decimal(amount)) < 0) return 'a fee above the amount'
    return [transferRow(transfer, { kind, status })]
  }
  return page(transfers, rowsOrReasons(transferSchema, transfers, rowOf))
}

function transferRow(
  row: Transfer,
  { kind, status }: { kind: TransferKind; status: TransferStatus },
): TransactionRow {
  const [paid] = paidFees([row.fee])
  const out = kind === 'withdrawal'
  return {
    kind,
    // One chain transaction can pay several deposits.
    key: [row.currency, ...(row.id != null ? [row.id] : [row.txid, row.address ?? '', row.amount])].join(':'),
    at: row.timestamp,
    status,
    type: out ? 'withdraw' : 'deposit',
    symbol: null,
    order_id: null,
    asset: row.currency,
    amount: out ? minus(row.amount) : row.amount,
    ...NO_QUOTE,
    fee_asset: paid ? paid.asset : null,
    fee_amount: paid ? paid.amount : null,
    network: row.network ?? null,
    address: row.address ?? null,
    tx_hash: row.txid ?? null,
  }
}

const NO_TRANSFER = { network: null, address: null, tx_hash: null }
const NO_QUOTE = { quote_asset: null, quote_amount: null }
const NO_TRADE = { ...NO_QUOTE, fee_asset: null, fee_amount: null }

function paidFees(fees: readonly z.output<typeof fee>[]): { asset: string; amount: string }[] {
  return fees.flatMap((one) =>
    one?.currency && one.cost != null && !isZero(decimal(one.cost))
      ? [{ asset: one.currency, amount: one.cost }]
      : [],
  )
}

const minus = (amount: string): string => formatDecimal(negate(decimal(amount)))

/** Reads each item that fits the schema: `rowsOf` gives its rows, or the reason why it is put aside. */
export function rowsOrReasons<T>(
  schema: z.ZodType<T>,
  items: readonly unknown[],
  rowsOf: (item: T) => TransactionRow[] | string,
): { rows: TransactionRow[]; quarantined: QuarantinedRow[] } {
  const { rows: fitting, quarantined } = parseRows(schema, items)
  const rows = fitting.flatMap((payload) => {
    const read = rowsOf(payload)
    if (typeof read !== 'string') return read
    quarantined.push({ reason: read, payload })
    return []
  })
  return { rows, quarantined }
}

/** Adds size and ends of the page, including quarantined rows. */
export const page = (
  items: readonly unknown[],
  content: { rows: TransactionRow[]; quarantined: QuarantinedRow[] },
): ExchangePage => ({ ...content, ...endsOf(items) })

export function endsOf(items: readonly unknown[]): PageEnds {
  const times = items.flatMap((item) => {
    const ms = Number((item as { timestamp?: unknown }).timestamp)
    return Number.isFinite(ms) && ms > 0 ? [ms] : []
  })
  const ids = items.map((item) => (item as { id?: unknown }).id).filter((id) => typeof id === 'string')
  const numeric = ids.filter((id) => /^\d+$/.test(id)).sort(byNumber)
  return {
    count: items.length,
    firstMs: times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : null,
    lastMs: times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : null,
    firstId: numeric[0] ?? null,
    // The greatest numeric id, whatever the order of the page.
    lastId: numeric.at(-1) ?? ids.at(-1) ?? null,
  }
}

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1)
