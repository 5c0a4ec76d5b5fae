import type pg from 'pg'
import type { RawTransactionRow } from './wallet-raw.ts'

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
