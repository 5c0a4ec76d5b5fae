import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { sha256Of } from '../data-file.ts'
import type { Column, Dataset } from '../dataset.ts'
import { literal } from '../duckdb.ts'
import { fieldsOf, quote, UNFIT } from '../fields.ts'
import type { Target } from '../target.ts'
import { type ColdTable, storedColumns } from './cold-tables.ts'

/** Temporary table with the rows of a file, in the columns of their table. */
export const BACK = 'cold_back'

/** SQL condition: a row `own` of the table and a row `back` have one key, and the same value in every column. */
export function isSameRow({ dataset, key }: ColdTable): string {
  const columns = storedColumns(dataset).map(({ stored }) => quote(stored))
  const of = (alias: string) => columns.map((name) => `${alias}.${name}`).join(', ')
  const sameKey = key.map((name) => `own.${quote(name)} = back.${quote(name)}`).join(' and ')
  return `${sameKey} and (${of('own')}) is not distinct from (${of('back')})`
}

/** Path of a local copy of a file: its own, or one in the folder. Throws if its content is another one, or away. */
export async function checkedCopy(
  target: Target,
  { file, sha256, folder }: { file: string; sha256: string; folder: string },
): Promise<string> {
  const path = join(await target.localCopy([file], folder), file)
  const found = await sha256Of(path).catch((error: Error) => error.message)
  if (found !== sha256) throw new Error(`${file} in ${target.root} is not what was written: ${found}`)
  return path
}

/**
 * Reads a file of a dataset from where it is stored into the temporary table `cold_back`, which is dropped at
 * commit. Throws if its content is another one. Needs an open transaction.
 */
export async function readBack(
  {
    client,
    duckdb,
    target,
    staging,
  }: { client: pg.ClientBase; duckdb: DuckDBConnection; target: Target; staging: string },
  dataset: Dataset,
  { file, sha256 }: { file: string; sha256: string },
): Promise<void> {
  const path = await checkedCopy(target, { file, sha256, folder: join(staging, 'back') })
  const columns = storedColumns(dataset)
  const csv = join(staging, 'back.csv')
  await duckdb.run(
    `copy (select ${textsOf(dataset).join(', ')} from read_parquet(${literal(path)}))
     to ${literal(csv)} (format csv, header false, delim ',', quote '"', escape '"', nullstr '', force_quote *)`,
  )
  const names = columns.map(({ stored }) => quote(stored)).join(', ')
  await client.query(
    `create temporary table ${BACK} on commit drop as select ${names} from ${dataset.from} with no data`,
  )
  await pipeline(
    createReadStream(csv),
    client.query(copyFrom(`copy ${BACK} (${names}) from stdin (format csv)`)),
  )
  await client.query(`analyze ${BACK}`)
  await rm(csv)
}

/** DuckDB SQL of the columns of a file as texts, as Postgres reads them, by their names in the dataset. */
export function textsOf(dataset: Dataset): string[] {
  const hasUnfit = fieldsOf(dataset).some(({ name }) => name === UNFIT)
  return Object.entries(dataset.columns).map(([name, column]) => textOf(name, column, hasUnfit))
}

function textOf(name: string, { type }: Column, hasUnfit: boolean): string {
  const own = quote(name)
  // Its digits are in a column of their own.
  if (type === 'rounded') return `${quote(`${name}_exact`)} as ${own}`
  if (type === 'instant') return `make_timestamp(epoch_us(${own}))::varchar || '+00' as ${own}`
  if (type !== 'decimal') return `${own}::varchar as ${own}`
  const digits = `case when contains(${own}::varchar, '.') then rtrim(rtrim(${own}::varchar, '0'), '.') else ${own}::varchar end`
  return hasUnfit
    ? `coalesce(json_extract_string(${UNFIT}, '$.${name}'), ${digits}) as ${own}`
    : `${digits} as ${own}`
}
