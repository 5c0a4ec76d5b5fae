import { createHash } from 'node:crypto'
import type { Dataset } from '../dataset.ts'
import { DATASETS } from '../datasets.ts'
import { fieldsOf } from '../fields.ts'

/** A table whose old rows may leave it. */
export interface ColdTable {
  /** Exports all of its columns unchanged, so that a file can give them back. */
  dataset: Dataset
  /** Columns of its primary key. */
  key: readonly string[]
  /** Days for which the service itself reads its rows. */
  leastDays: number
  /** SQL condition of rows that nothing stores again while they are away, or changes. */
  movable: string
}

const datasetOf = (name: string): Dataset => DATASETS.find((one) => one.name === name)!

export const COLD_TABLES: readonly ColdTable[] = [
  {
    dataset: datasetOf('ticker_exchange_volumes'),
    key: ['exchange_id', 'source', 'at'],
    // Sums of seven days (`deriveFromVolumes`), and a month to spare.
    leastDays: 38,
    // The past of the others is still to be read, and may have the same points.
    movable: 'exchange_id in (select id from ticker_exchanges where charted_at is not null)',
  },
]

/** The columns of the table by their names in the dataset. Throws if one is not a column of the table as it is. */
export function storedColumns({ name, columns }: Dataset): { name: string; stored: string }[] {
  return Object.entries(columns).map(([column, { sql = column, type }]) => {
    if (!/^[a-z_0-9]+$/.test(sql) || type === 'texts')
      throw new Error(`${name}: ${column} cannot be read back`)
    return { name: column, stored: sql }
  })
}

/** Digest of what a file of the dataset contains. */
export const coldDefinition = (dataset: Dataset): string =>
  createHash('sha256')
    .update(JSON.stringify(fieldsOf(dataset).map(({ name, type }) => [name, type])))
    .digest('hex')
    .slice(0, 16)
