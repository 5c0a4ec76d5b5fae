import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { transact } from '../db/transact.ts'
import { CATALOG } from './catalog.ts'
import type { Dataset } from './dataset.ts'
import { DATASETS } from './datasets.ts'
import { duckRows, literal, withDuckDb } from './duckdb.ts'
import { type Field, fieldsOf, HALF } from './fields.ts'
import { type ExportedFile, type Manifest, readManifest } from './manifest.ts'
import { groupSql, nameSql, readPartitions } from './partitions.ts'
import { sha256Of } from './publish.ts'
import { takeSnapshot } from './snapshot.ts'
import { type ApiFigures, compareWithApi } from './verify-api.ts'

export interface Verification {
  exportedAt: string
  datasets: {
    name: string
    files: number
    /** In its files. */
    rows: number
    /** Partitions whose totals were compared with the database. */
    compared: number
    /** Partitions that have other rows in the database since: their files were compared with the manifest alone. */
    changedSince: number
  }[]
  api: ApiFigures
  /** What does not agree; empty: all does. */
  differences: string[]
}

/**
 * Adds up every column of an export anew, from its files and from the database, and compares; then figures of it with those
 * that the API answers. The database is read in one snapshot. Throws where there is no export.
 */
export async function verifyExport(options: {
  pool: pg.Pool
  folder: string
  /** A folder for what does not fit into memory. */
  spill: string
}): Promise<Verification> {
  const { pool, folder, spill } = options
  const manifest = await readManifest(folder)
  if (!manifest) throw new Error(`there is no export in ${folder}`)
  return withDuckDb(spill, (duckdb) =>
    transact(pool, async ({ client, db }) => {
      await takeSnapshot(client)
      const verification: Verification = {
        exportedAt: manifest.exportedAt,
        datasets: [],
        api: { balances: 0, months: 0 },
        differences: [],
      }
      for (const dataset of DATASETS)
        await verifyDataset({ client, duckdb, folder, manifest, dataset, verification })
      await verifyCatalog({ duckdb, folder, manifest, verification })
      if (verification.differences.length === 0)
        verification.api = await compareWithApi({ db, duckdb, verification })
      return verification
    }),
  )
}

interface Input {
  client: pg.ClientBase
  duckdb: DuckDBConnection
  folder: string
  manifest: Manifest
  dataset: Dataset
  verification: Verification
}

async function verifyDataset(input: Input): Promise<void> {
  const { client, dataset, verification } = input
  const files = input.manifest.datasets[dataset.name]?.files ?? []
  const now = new Map((await readPartitions(client, dataset)).map((one) => [one.name, one.revision]))
  const isSame = (file: ExportedFile) => now.get(file.partition) === file.revision
  const stored = files.some(isSame) ? await databaseTotals(client, dataset) : new Map<string, Totals>()
  let rows = 0
  for (const file of files) {
    const found = await fileTotals(input, file)
    if (typeof found === 'string') {
      verification.differences.push(`${file.file}: ${found}`)
      continue
    }
    rows += found.rows
    const problems = found.rows === file.rows ? [] : [`${found.rows} rows, ${file.rows} in the manifest`]
    if (isSame(file)) problems.push(...differences(found, stored.get(file.partition)!))
    verification.differences.push(...problems.map((problem) => `${file.file}: ${problem}`))
  }
  const compared = files.filter(isSame).length
  const names = new Set([...now.keys(), ...files.map(({ partition }) => partition)])
  verification.datasets.push({
    ...{ name: dataset.name, files: files.length, rows, compared },
    changedSince: names.size - compared,
  })
}

interface Totals {
  rows: number
  /** By field: how many are not null, and their sum. */
  sums: Map<string, string>
}

function differences(inFile: Totals, inDatabase: Totals): string[] {
  const found = [...inDatabase.sums]
    .map(([name, sum]) => ({ name, sum, own: inFile.sums.get(name) }))
    .filter(({ sum, own }) => sum !== own)
    .map(({ name, sum, own }) => `${name} adds up to ${own}, in the database to ${sum} (values/sum)`)
  if (inFile.rows === inDatabase.rows) return found
  return [`${inFile.rows} rows, ${inDatabase.rows} in the database`, ...found]
}

/** Of every partition, in one reading. */
async function databaseTotals(client: pg.ClientBase, dataset: Dataset): Promise<Map<string, Totals>> {
  const fields = fieldsOf(dataset)
  const sums = fields.map(({ total }) => total.postgres)
  // Rows as arrays: there are more columns than names for them.
  const { rows } = await client.query<string[]>({
    text: `select ${nameSql(dataset)}, count(*)::text, ${sums.join(', ')} from ${dataset.from} ${groupSql(dataset)}`,
    rowMode: 'array',
  })
  return new Map(rows.map(([name, count, ...texts]) => [name!, toTotals(fields, count!, texts)]))
}

/** Of one file; a text: what is wrong with it. */
async function fileTotals({ duckdb, folder, dataset }: Input, file: ExportedFile): Promise<Totals | string> {
  const path = join(folder, file.file)
  try {
    await access(path)
    if ((await sha256Of(path)) !== file.sha256) return 'its content is not what was written: another SHA-256'
    const fields = fieldsOf(dataset)
    const sums = fields.map(({ total }, index) => `${total.duckdb} as "${index}"`)
    const [row] = await duckRows<Record<string, string>>(
      duckdb,
      `select count(*)::varchar as rows, ${sums.join(', ')} from read_parquet(${literal(path)})`,
    )
    const texts = fields.map((_, index) => row![String(index)]!)
    return toTotals(fields, row!['rows']!, texts)
  } catch (error) {
    return `it cannot be read: ${(error as Error).message}`
  }
}

function toTotals(fields: readonly Field[], rows: string, texts: readonly string[]): Totals {
  return { rows: Number(rows), sums: new Map(fields.map(({ name }, index) => [name, joined(texts[index]!)])) }
}

/** Sums that DuckDB gives in two halves, as one. */
function joined(text: string): string {
  const [count, high, low] = text.split(/[/:]/) as [string, string, string | undefined]
  return `${count}/${low === undefined ? high : BigInt(high) * HALF + BigInt(low)}`
}

/** What analysts open shows the files that it says it does, and is not older than the manifest. */
async function verifyCatalog({
  duckdb,
  folder,
  manifest,
  verification,
}: Omit<Input, 'client' | 'dataset'>): Promise<void> {
  try {
    await duckdb.run(`attach ${literal(join(folder, CATALOG))} as catalog (read_only)`)
    const named = await duckRows<{ dataset: string; rows: bigint; at: Date }>(
      duckdb,
      `select dataset, sum(rows)::bigint as rows, max(exported_at) as at from catalog.main.export_files group by all`,
    )
    if (named.some(({ at }) => at < new Date(manifest.exportedAt)))
      verification.differences.push(`${CATALOG}: it is older than the manifest`)
    for (const { dataset, rows } of named) {
      const [found] = await duckRows<{ rows: bigint }>(
        duckdb,
        `select count(*) as rows from catalog.main."${dataset}"`,
      )
      if (found!.rows !== rows)
        verification.differences.push(`${CATALOG}: ${dataset} has ${found!.rows} rows, not ${rows}`)
    }
  } catch (error) {
    verification.differences.push(`${CATALOG}: it cannot be read: ${(error as Error).message}`)
  }
}
