import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { csvRows, writeCsv } from '../csv.ts'
import { dataFile, sha256Of } from '../data-file.ts'
import type { Dataset } from '../dataset.ts'
import { duckRows, literal, withDuckDb } from '../duckdb.ts'
import { fieldsOf, quote, readColumns, sentColumns, sentTypes, UNFIT } from '../fields.ts'
import { withExportTurn } from '../snapshot.ts'
import type { Target } from '../target.ts'
import { type ColdFile, coldPartition } from './cold-files.ts'
import { coldDefinition, type ColdTable, storedColumns } from './cold-tables.ts'
import { BACK, isSameRow, readBack } from './read-back.ts'

/** What is done, in this order. A kill after any of them loses nothing: all but the file is one transaction. */
export type MoveStep = 'written' | 'stored' | 'read back' | 'deleted' | 'noted'

interface MoveInput {
  pool: pg.Pool
  target: Target
  table: ColdTable
  tell?: (step: MoveStep, month: string) => Promise<void> | void
}

/** The months, as YYYY-MM, that ended before `before` and have rows that may move. */
export async function movableMonths(
  pool: pg.Pool,
  { table, before }: { table: ColdTable; before: Date },
): Promise<string[]> {
  const { dataset, movable } = table
  const { rows } = await pool.query<{ month: string }>(
    `select to_char(month, 'YYYY-MM') as month
     from (select distinct date_trunc('month', ${atOf(dataset)}, 'UTC') at time zone 'UTC' as month from ${dataset.from}
       where ${atOf(dataset)} < date_trunc('month', $1::timestamptz, 'UTC') and ${movable}) as months order by 1`,
    [before],
  )
  return rows.map(({ month }) => month)
}

/**
 * Moves the rows of a month from their table into a file of the exports. Rows leave the table only if the file, read
 * back from where it is stored, has each of them with the same value in every column. Takes turns with exports.
 * Throws, and moves nothing, if rows change meanwhile. null: there is none left that may move.
 */
export async function moveMonth(input: MoveInput, month: string): Promise<ColdFile | null> {
  const { pool, target, table, tell = () => {} } = input
  const { dataset, kept } = table
  return await withExportTurn(pool, ({ client }) =>
    target.withStaging((staging) =>
      withDuckDb(join(staging, 'spill'), async (duckdb) => {
        const written = await writeMonth({ client, duckdb, staging, table }, month)
        if (written.rows === 0) return null
        await tell('written', month)
        await target.put(written.draft, written.file)
        await tell('stored', month)
        await readBack({ client, duckdb, target, staging }, dataset, written)
        await tell('read back', month)
        await table.lock?.(client, BACK)
        const { rowCount } = await client.query(
          `delete from ${dataset.from} as own using ${BACK} as back where ${isSameRow(table)}`,
        )
        if (rowCount !== written.rows)
          throw new Error(
            `${dataset.name} ${month}: ${rowCount} of ${written.rows} rows are as in ${written.file}. Nothing was moved: try again`,
          )
        await tell('deleted', month)
        const { file, rows, bytes, sha256, unfit } = written
        const definition = coldDefinition(dataset)
        const { rows: noted } = await client.query<{ id: number; movedAt: Date }>(
          `insert into cold_files (file, dataset, month, rows, bytes, sha256, unfit, definition, moved_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, now()) returning id, moved_at as "movedAt"`,
          [file, dataset.name, `${month}-01`, rows, bytes, sha256, unfit, definition],
        )
        const { id, movedAt } = noted[0]!
        if (kept)
          await client.query(
            `insert into ${kept.table} (${Object.keys(kept.columns).join(', ')}, file_id)
             select ${Object.values(kept.columns).join(', ')}, $1 from ${BACK} as back order by ${kept.key.map((name) => kept.columns[name]).join(', ')}`,
            [id],
          )
        await tell('noted', month)
        return { dataset: dataset.name, month, file, rows, bytes, sha256, unfit, definition, movedAt }
      }),
    ),
  )
}

/** Writes the rows of a month as an export writes them, into a local file. */
async function writeMonth(
  {
    client,
    duckdb,
    staging,
    table: { dataset, movable },
  }: { client: pg.ClientBase; duckdb: DuckDBConnection; staging: string; table: ColdTable },
  month: string,
): Promise<{ draft: string; file: string; rows: number; bytes: number; sha256: string; unfit: number }> {
  const [csv, draft] = [join(staging, 'cold.csv'), join(staging, 'cold.parquet')]
  const start = `timestamptz '${month}-01 00:00:00Z'`
  await writeCsv(
    client,
    `select ${sentColumns(dataset).join(', ')} from ${dataset.from}
     where ${atOf(dataset)} >= ${start} and ${atOf(dataset)} < ${start} + interval '1 month' and ${movable}`,
    csv,
  )
  await duckdb.run(
    `copy (select ${readColumns(dataset).join(', ')}
       from ${csvRows(csv, sentTypes(dataset))} order by ${dataset.sort.map(quote).join(', ')})
     to ${literal(draft)} (format parquet, compression zstd)`,
  )
  await rm(csv)
  const unfit = fieldsOf(dataset).some(({ name }) => name === UNFIT) ? `count(${UNFIT})` : '0::bigint'
  const [found] = await duckRows<{ rows: bigint; unfit: bigint }>(
    duckdb,
    `select count(*) as rows, ${unfit} as unfit from read_parquet(${literal(draft)})`,
  )
  const sha256 = await sha256Of(draft)
  const file = dataFile({ dataset: dataset.name, partition: coldPartition(month), sha256 })
  const { size: bytes } = await stat(draft)
  return { draft, file, rows: Number(found!.rows), bytes, sha256, unfit: Number(found!.unfit) }
}

/** The column of the table that decides the month. */
const atOf = (dataset: Dataset): string =>
  quote(storedColumns(dataset).find(({ name }) => name === dataset.cut!.at)!.stored)
