import { join } from 'node:path'
import type pg from 'pg'
import { withDuckDb } from '../duckdb.ts'
import { quote } from '../fields.ts'
import { withExportTurn } from '../snapshot.ts'
import type { Target } from '../target.ts'
import type { ColdFile } from './cold-files.ts'
import { COLD_TABLES, storedColumns } from './cold-tables.ts'
import { BACK, isSameRow, readBack } from './read-back.ts'

/** What is done, in this order, in one transaction. */
export type RestoreStep = 'read back' | 'inserted' | 'noted'

/**
 * Returns the rows of a file to their table. The file stays, because exports of the last hour may name it. Takes
 * turns with exports. Throws, and returns nothing, if the file is not what was written or a row came anew with
 * other values. Returns false if somebody else has returned them meanwhile.
 */
export async function restoreFile(
  {
    pool,
    target,
    tell = () => {},
  }: { pool: pg.Pool; target: Target; tell?: (step: RestoreStep) => Promise<void> | void },
  cold: Pick<ColdFile, 'file' | 'dataset' | 'sha256' | 'rows'>,
): Promise<boolean> {
  const table = COLD_TABLES.find(({ dataset }) => dataset.name === cold.dataset)
  if (!table) throw new Error(`${cold.file} is of ${cold.dataset}, which this release does not know`)
  const { dataset, key, kept } = table
  return await withExportTurn(pool, ({ client }) =>
    target.withStaging((staging) =>
      withDuckDb(join(staging, 'spill'), async (duckdb) => {
        const { rowCount: named } = await client.query('delete from cold_files where file = $1', [cold.file])
        if (named === 0) return false
        await readBack({ client, duckdb, target, staging }, dataset, cold)
        await tell('read back')
        await table.lock?.(client, BACK)
        if (kept) {
          const sameKey = kept.key.map((name) => `known.${name} = ${kept.columns[name]}`).join(' and ')
          await client.query(`delete from ${kept.table} as known using ${BACK} as back where ${sameKey}`)
        }
        const columns = storedColumns(dataset).map(({ stored }) => quote(stored))
        await client.query(
          `insert into ${dataset.from} (${columns.join(', ')}) select ${columns.join(', ')} from ${BACK}
           order by ${key.map(quote).join(', ')} on conflict (${key.map(quote).join(', ')}) do nothing`,
        )
        await tell('inserted')
        const { rows } = await client.query<{ same: number }>(
          `select count(*)::float8 as same from ${dataset.from} as own join ${BACK} as back on ${isSameRow(table)}`,
        )
        const { same } = rows[0]!
        if (same !== cold.rows)
          throw new Error(
            `${cold.file}: ${cold.rows - same} of ${cold.rows} rows came anew with other values. Nothing was restored`,
          )
        await tell('noted')
        return true
      }),
    ),
  )
}
