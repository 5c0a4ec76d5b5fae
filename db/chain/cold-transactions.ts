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
    `select file, sha256, array_agg(hash) as hashes from cold_transactions join cold_files on id = file_id
     where network_id = $1 and hash = any($2) group by file, sha256 order by file`,
    [networkId, hashes],
  )
  return rows.map((row) => ({ networkId, ...row }))
}
