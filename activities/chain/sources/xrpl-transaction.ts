import { z } from 'zod'
import { decimal, multiply } from '../../../db/values/decimal.ts'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'

/** Decimal places of issued tokens here. The ledger gives an amount 16 digits, wherever its point is. */
export const ISSUED_DECIMALS = 15
/** Where the ledger's seconds begin: 2000. */
export const RIPPLE_EPOCH_S = 946_684_800

const drops = z.string().regex(/^\d+$/).transform(BigInt)
const issued = z.object({ currency: z.string(), issuer: z.string(), value: z.string() })

const fields = z.object({
  Account: z.string().optional(),
  /** XRP in drops, or what one account of a trust line owes to the other */
  Balance: z.union([drops, issued]).optional(),
  HighLimit: issued.optional(),
  LowLimit: issued.optional(),
})
/** Entries with balances of accounts. */
const BALANCES = ['AccountRoot', 'RippleState'] as const
const balanceNode = z.object({
  LedgerEntryType: z.enum(BALANCES),
  NewFields: fields.optional(),
  FinalFields: fields.optional(),
  PreviousFields: fields.optional(),
})
/** Other entries come in new kinds, whose fields nothing here reads. */
const otherNode = z.object({
  LedgerEntryType: z.string().refine((type) => !(BALANCES as readonly string[]).includes(type)),
})
const node = z.union([balanceNode, otherNode.transform(() => null)])

/** A validated transaction with its metadata, as `account_tx` gives it. */
export const xrplTransaction = z.object({
  validated: z.literal(true),
  tx: z.object({
    hash: z.string().regex(/^[0-9A-F]{64}$/),
    ledger_index: z.int().min(0),
    /** seconds since 2000 */
    date: z.int(),
    Account: z.string(),
    Destination: z.string().optional(),
    Fee: drops,
  }),
  meta: z.object({
    TransactionIndex: z.int().min(0),
    TransactionResult: z.string(),
    AffectedNodes: z.array(
      z.union([
        z.object({ CreatedNode: node }).transform((one) => one.CreatedNode),
        z.object({ ModifiedNode: node }).transform((one) => one.ModifiedNode),
        z.object({ DeletedNode: node }).transform((one) => one.DeletedNode),
      ]),
    ),
  }),
})
export type XrplTransaction = z.output<typeof xrplTransaction>

interface Change {
  account: string
  /** null: XRP */
  token: string | null
  raw: bigint
}

/** Base units of an amount of an issued token, in the form that the ledger writes: `-1.5`, `2e-7`. */
export function issuedUnits(value: string): bigint {
  const { coefficient, scale } = multiply(decimal(value), decimal(`1e${ISSUED_DECIMALS}`))
  return coefficient / 10n ** BigInt(Math.max(0, scale)) // towards zero
}

/** A token is named by its currency and issuer, as coin lists write it. */
export const tokenOf = (currency: string, issuer: string): string => `${currency}.${issuer}`

/**
 * Converts the changes of accounts and trust lines to one-sided transfers: the balance after less the one before,
 * without the fee. So a partial payment counts with what arrived. A failed transaction moves only the fee.
 */
export function decodeXrplTransaction({ tx, meta }: XrplTransaction): {
  transaction: ChainTransaction
  transfers: ChainTransfer[]
} {
  const place = {
    txHash: tx.hash,
    blockNumber: tx.ledger_index,
    // Only validated ledgers are read, so the number stands for the block.
    blockHash: String(tx.ledger_index),
    atMs: (tx.date + RIPPLE_EPOCH_S) * 1_000,
  }
  const success = meta.TransactionResult === 'tesSUCCESS'
  const transaction: ChainTransaction = {
    hash: tx.hash,
    blockNumber: place.blockNumber,
    blockHash: place.blockHash,
    atMs: place.atMs,
    index: meta.TransactionIndex,
    from: tx.Account,
    to: tx.Destination ?? null,
    value: 0n,
    fee: tx.Fee,
    success,
    selector: null,
  }
  if (!success) return { transaction, transfers: [] }
  const transfers = changesOf(meta).flatMap(({ account, token, raw: change }, position) => {
    const raw = token === null && account === tx.Account ? change + tx.Fee : change
    if (raw === 0n) return []
    const [from, to] = raw > 0n ? [NOBODY, account] : [account, NOBODY]
    const kind: TransferKind = token === null ? 'native' : 'issued'
    const amount = raw > 0n ? raw : -raw
    return [{ ...place, kind, position, item: 0, token, tokenId: null, from, to, raw: amount, fanOut: 1 }]
  })
  return { transaction, transfers }
}

/** Changes of all accounts, in the order of the nodes; two of each trust line. */
function changesOf(meta: XrplTransaction['meta']): Change[] {
  return meta.AffectedNodes.flatMap((node): Change[] => {
    const { LedgerEntryType: type, NewFields, FinalFields, PreviousFields } = node ?? {}
    const after = NewFields ?? FinalFields
    if (!after) return []
    const before = PreviousFields
    if (type === 'AccountRoot') {
      const account = after.Account
      const [was, is] = [before?.Balance, after.Balance]
      if (account === undefined || typeof is !== 'bigint') return []
      if (NewFields) return [{ account, token: null, raw: is }]
      return typeof was === 'bigint' ? [{ account, token: null, raw: is - was }] : []
    }
    const { HighLimit: high, LowLimit: low, Balance: is } = after
    const was = before?.Balance
    if (!high || !low || typeof is !== 'object') return []
    if (!NewFields && typeof was !== 'object') return []
    const units = issuedUnits(is.value) - (typeof was === 'object' ? issuedUnits(was.value) : 0n)
    // The balance is written as the low account sees it.
    return [
      { account: low.issuer, token: tokenOf(is.currency, high.issuer), raw: units },
      { account: high.issuer, token: tokenOf(is.currency, low.issuer), raw: -units },
    ]
  })
}
