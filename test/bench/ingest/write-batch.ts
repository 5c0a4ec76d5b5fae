import type pg from 'pg'
import { appendRows } from '../../../db/copy-rows.ts'
import { transact } from '../../../db/transact.ts'
import { COLUMNS, KEY, transfers } from './transfers.ts'

export const BATCH = 50_000

export interface BatchInput {
  from: number
  count: number
}

/** Writes and commits one batch through the product's write path. Returns the number of new rows. */
export function writeBatch(pool: pg.Pool, { from, count }: BatchInput): Promise<number> {
  return transact(pool, ({ client }) =>
    appendRows(client, {
      table: 'transfers',
      columns: COLUMNS,
      key: KEY,
      rows: () => transfers(from, count),
    }),
  )
}

/** Splits `rows` rows into batches. */
export function batchesOf(rows: number): BatchInput[] {
  return Array.from({ length: Math.ceil(rows / BATCH) }, (_, index) => ({
    from: index * BATCH,
    count: Math.min(BATCH, rows - index * BATCH),
  }))
}
