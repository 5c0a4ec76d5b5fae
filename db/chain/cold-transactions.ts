import type pg from 'pg'
import { rawTransactions, type RawTransactionRow } from './wallet-raw.ts'

/** Transactions of a network whose rows are in one file of the exports. */
export interface ColdPart {
  networkId: string
  /** path within the exports */
  file: string
  sha256: string
  hashes: string[]
}

/** Reads rows from the files where they are. Throws, and says what to do, unless it finds each of them. */
export type ColdReader = (parts: readonly ColdPart[]) => Promise<RawTransactionRow[]>

/** Which of the transactions are in which file. Needs the lock of the network. */
export async function findCold(
  client: pg.ClientBase,
  { networkId, hashes }: { networkId: string; hashes: readonly string[] },
): Promise<ColdPart[]> {
  const { rows } = await client.query<Omit<ColdPart, 'networkId'>>(
    `select file, sha256, array_agg(asked.hash) as hashes from unnest($2::text[]) as asked (hash)
     join cold_transactions on network_id = $1 and digest = md5(asked.hash)::uuid
     join cold_files on id = file_id group by file, sha256 order by file`,
    [networkId, hashes],
  )
  return rows.map((row) => ({ networkId, ...row }))
}

/** Those of the transactions that are stored neither in the database nor in files of the exports. */
export async function unknownTransactions(
  pool: pg.Pool,
  input: { networkId: string; hashes: readonly string[] },
): Promise<string[]> {
  const { rows } = await pool.query<{ hash: string }>(
    `select hash from unnest($2::text[]) as asked (hash)
     except all select hash from transactions where network_id = $1 and hash = any($2)
     except all select asked.hash from unnest($2::text[]) as asked (hash)
     join cold_transactions on network_id = $1 and digest = md5(asked.hash)::uuid`,
    [input.networkId, input.hashes],
  )
  return rows.map(({ hash }) => hash)
}

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
