import type pg from 'pg'
import { type ColdPart, type ColdReader, findCold } from '../../../db/chain/cold-transactions.ts'
import { rawTransactions, type RawTransactionRow } from '../../../db/chain/wallet-raw.ts'

/** Old transactions of one network by their hashes, as their files have them. */
export type OldTransactions = ReadonlyMap<string, RawTransactionRow>

/** A derivation needs transactions that are in files of the exports. */
class OldTransactionsNeeded extends Error {
  readonly parts: readonly ColdPart[]

  constructor(parts: readonly ColdPart[]) {
    super('old transactions are in files of the exports: set EXPORT_TO to where they are')
    this.parts = parts
  }
}

/**
 * Runs a derivation, and once more with the old transactions that it lacked. They are read while it holds no lock:
 * a store may take long, and the rows of a file never change. Throws if they cannot be read.
 */
export async function withOldTransactions<T>(
  readCold: ColdReader | undefined,
  derive: (old: OldTransactions) => Promise<T>,
): Promise<T> {
  const old = new Map<string, RawTransactionRow>()
  for (;;)
    try {
      return await derive(old)
    } catch (error) {
      if (!(error instanceof OldTransactionsNeeded) || !readCold) throw error
      for (const row of await readCold(error.parts)) old.set(row.hash, row)
    }
}

/** As `rawTransactions`, with the old ones. Throws OldTransactionsNeeded if others are in files. */
export async function wholeTransactions(
  client: pg.ClientBase,
  asked: { networkId: string; addresses: readonly string[]; hashes: readonly string[] },
  old: OldTransactions,
): ReturnType<typeof rawTransactions> {
  const raw = await rawTransactions(client, asked)
  const stored = new Set(raw.transactions.map(({ hash }) => hash))
  const missing = asked.hashes.filter((hash) => !stored.has(hash))
  if (missing.length === 0) return raw
  const unread = missing.filter((hash) => !old.has(hash))
  const parts = await findCold(client, { networkId: asked.networkId, hashes: unread })
  if (parts.length > 0) throw new OldTransactionsNeeded(parts)
  const transactions = [...raw.transactions, ...missing.flatMap((hash) => old.get(hash) ?? [])].toSorted(
    (one, other) => Number(one.block_number) - Number(other.block_number) || one.tx_index - other.tx_index,
  )
  return { ...raw, transactions }
}
