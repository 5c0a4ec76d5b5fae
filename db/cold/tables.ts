import type { GeneratedAlways } from 'kysely'

/** A file of the exports with rows that are no longer in their table. */
export interface ColdFile {
  id: GeneratedAlways<number>
  /** path within the exports */
  file: string
  dataset: string
  /** first day, UTC */
  month: Date
  rows: string
  bytes: string
  sha256: string
  unfit: string
  definition: string
  moved_at: Date
}

/** What finds a transaction whose row is in such a file. */
export interface ColdTransaction {
  network_id: string
  /** md5 of its hash */
  digest: string
  block_number: string
  at: Date
  /** id of the file */
  file_id: number
  /** both null: a transfer of the sender finds it */
  from_address: string | null
  hash: string | null
}

declare module '../schema.ts' {
  interface Database {
    cold_files: ColdFile
    cold_transactions: ColdTransaction
  }
}
