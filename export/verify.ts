import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { transact } from '../db/transact.ts'
import { CATALOG } from './catalog.ts'
import { type ColdFile, readColdFiles } from './cold/cold-files.ts'
import { sha256Of } from './data-file.ts'
import type { Dataset } from './dataset.ts'
import { DATASETS } from './datasets.ts'
import { duckRows, literal, withDuckDb } from './duckdb.ts'
import { type Field, fieldsOf, HALF } from './fields.ts'
import { type ExportedFile, type Manifest, readManifest } from './manifest.ts'
import { type Cell, cellSql, holds, type Partition, readPartitions } from './partitions.ts'
import { takeSnapshot } from './snapshot.ts'
import type { Target } from './target.ts'
import { type ApiFigures, compareWithApi } from './verify-api.ts'

export interface Verification {
  exportedAt: string
  datasets: {
    name: string
    files: number
    /** Rows in its files. */
    rows: number
    /** Partitions whose totals were compared with the database. */
    compared: number
    /**
     * Partitions whose rows have changed in the database since: their files were compared with the manifest
     * only.
     */
    changedSince: number
  }[]
  api: ApiFigures
  /** Differences; empty: everything agrees. */
  differences: string[]
}

/**
 * Compares the sums of every column of an export between its files and the database. Then compares its
 * figures with those of the API. Reads the database in one snapshot. Throws if there is no export.
 */
export async function verifyExport(options: {
  pool: pg.Pool
  target: Target
  /** Folder for data that does not fit into memory, and for copies of files that are not on this machine. */
  spill: string
}): Promise<Verification> {
  const { pool, target, spill } = options
  const manifest = await readManifest(target)
  if (!manifest) throw new Error(`there is no export in ${target.root}`)
  return withDuckDb(spill, (duckdb) =>
    transact(pool, async ({ client, db }) => {
      await takeSnapshot(client)
      const verification: Verification = {
        exportedAt: manifest.exportedAt,
        datasets: [],
        api: { balances: 0, months: 0 },
        differences: [],
      }
      const files = Object.values(manifest.datasets).flatMap(({ files: own, changes }) => [
        ...own,
        ...(changes?.files ?? []),
      ])
      const root = await target.localCopy([CATALOG, ...files.map(({ file }) => file)], join(spill, 'copy'))
      const cold = await readColdFiles(client)
      const input = { client, duckdb, root, manifest, verification, cold }
      for (const dataset of DATASETS) await verifyDataset(input, dataset)
      await verifyChanges(input)
      await verifyCatalog(input)
      if (verification.differences.length === 0)
        verification.api = await compareWithApi({ db, duckdb, verification })
      return verification
    }),
  )
}

interface Input {
  client: pg.ClientBase
  duckdb: DuckDBConnection
  /** Local folder of the files. */
  root: string
  manifest: Manifest
  verification: Verification
  /** files that hold rows instead of their table */
  cold: readonly ColdFile[]
}

async function verifyDataset(input: Input, dataset: Dataset): Promise<void> {
  const { client, manifest, verification } = input
  const files = manifest.datasets[dataset.name]?.files ?? []
  const partitions = new Map(
    (await readPartitions(client, dataset, manifest.fileRows)).map((one) => [one.name, one]),
  )
  // Their rows are in no table. They were compared with it row by row when they moved.
  const cold = new Set(input.cold.flatMap((one) => (one.dataset === dataset.name ? one.file : [])))
  const isCold = ({ file }: ExportedFile) => cold.has(file)
  const partitionOf = (file: ExportedFile): Partition | null => {
    const partition = partitions.get(file.partition)
    return partition?.revision === file.revision ? partition : null
  }
  const cells = files.some(partitionOf) ? await databaseTotals(client, dataset) : []
  let rows = 0
  for (const file of files) {
    const found = await fileTotals(input, dataset, file)
    if (typeof found === 'string') {
      verification.differences.push(`${file.file}: ${found}`)
      continue
    }
    rows += found.rows
    const problems =
      found.rows === file.rows ? [] : [`${found.rows} rows in the file, ${file.rows} in the manifest`]
    const partition = partitionOf(file)
    if (partition) {
      const its = cells.filter(({ cell }) => holds(partition, cell)).map(({ totals }) => totals)
      problems.push(...differences(found, addTotals(fieldsOf(dataset), its)))
    }
    verification.differences.push(...problems.map((problem) => `${file.file}: ${problem}`))
  }
  const compared = files.filter((file) => isCold(file) || partitionOf(file)).length
  const names = new Set([
    ...partitions.keys(),
    ...cold,
    ...files.map((one) => (isCold(one) ? one.file : one.partition)),
  ])
  verification.datasets.push({
    name: dataset.name,
    files: files.length,
    rows,
    compared,
    changedSince: names.size - compared,
  })
}

interface Totals {
  rows: number
  /** By field: the number of values that are not null, and their sum. */
  sums: Map<string, { values: bigint; sum: bigint }>
}

function differences(inFile: Totals, inDatabase: Totals): string[] {
  const text = (sum: { values: bigint; sum: bigint } | undefined) => sum && `${sum.values}/${sum.sum}`
  const found = [...inDatabase.sums]
    .map(([name, sum]) => ({ name, sum: text(sum), own: text(inFile.sums.get(name)) }))
    .filter(({ sum, own }) => sum !== own)
    .map(
      ({ name, sum, own }) =>
        `${name} adds up to ${own} in the file and to ${sum} in the database (values/sum)`,
    )
  if (inFile.rows === inDatabase.rows) return found
  return [`${inFile.rows} rows in the file, ${inDatabase.rows} in the database`, ...found]
}

/** Returns the totals of every cell with one query. */
async function databaseTotals(
  client: pg.ClientBase,
  dataset: Dataset,
): Promise<{ cell: Cell; totals: Totals }[]> {
  const fields = fieldsOf(dataset)
  const sums = fields.map(({ total }) => total.postgres)
  // Rows as arrays, because the columns have no names.
  const { rows } = await client.query<string[]>({
    text: `select year::text, n::text, count(*)::text, ${sums.join(', ')}
           from (select *, ${cellSql(dataset)} from ${dataset.from}) as cells group by cells.year, n`,
    rowMode: 'array',
  })
  return rows.map(([year, n, count, ...texts]) => ({
    cell: { year: year!, n: Number(n) },
    totals: toTotals(fields, count!, texts),
  }))
}

/** Returns the totals of one file, or a text that says what is wrong with it. */
async function fileTotals(
  { duckdb, root }: Input,
  dataset: Dataset,
  file: ExportedFile,
): Promise<Totals | string> {
  const path = join(root, file.file)
  try {
    if ((await sha256Of(path)) !== file.sha256) return 'its content has changed: the SHA-256 differs'
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

const toTotals = (fields: readonly Field[], rows: string, texts: readonly string[]): Totals => ({
  rows: Number(rows),
  sums: new Map(fields.map(({ name }, index) => [name, toSum(texts[index]!)])),
})

/** Parses a sum; DuckDB returns large sums in two halves. */
function toSum(text: string): { values: bigint; sum: bigint } {
  const [values, high, low] = text.split(/[/:]/).map(BigInt) as [bigint, bigint, bigint | undefined]
  return { values, sum: low === undefined ? high : high * HALF + low }
}

function addTotals(fields: readonly Field[], parts: readonly Totals[]): Totals {
  const add = (of: (part: Totals) => bigint) => parts.reduce((total, part) => total + of(part), 0n)
  return {
    rows: parts.reduce((total, { rows }) => total + rows, 0),
    sums: new Map(
      fields.map(({ name }) => [
        name,
        {
          values: add(({ sums }) => sums.get(name)!.values),
          sum: add(({ sums }) => sums.get(name)!.sum),
        },
      ]),
    ),
  }
}

/** Checks that the files of changes are those that were written. Their rows are in no database to compare with. */
async function verifyChanges({ root, manifest, verification }: Input): Promise<void> {
  const files = Object.values(manifest.datasets).flatMap(({ changes }) => changes?.files ?? [])
  for (const { file, sha256 } of files) {
    const found = await sha256Of(join(root, file)).catch((error: Error) => error)
    if (found instanceof Error) verification.differences.push(`${file}: it cannot be read: ${found.message}`)
    else if (found !== sha256)
      verification.differences.push(`${file}: its content has changed: the SHA-256 differs`)
  }
}

/** Checks that the catalog shows the rows of its files and is not older than the manifest. */
async function verifyCatalog({ duckdb, root, manifest, verification }: Input): Promise<void> {
  try {
    await duckdb.run(
      `set variable root = ${literal(root)}; attach ${literal(join(root, CATALOG))} as catalog (read_only)`,
    )
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
