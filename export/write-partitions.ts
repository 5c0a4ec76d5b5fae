import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { dataFile, sha256Of } from './data-file.ts'
import type { Dataset } from './dataset.ts'
import { duckRows, literal } from './duckdb.ts'
import { fieldsOf, quote, sentSql, UNFIT } from './fields.ts'
import type { ExportedFile } from './manifest.ts'
import { bucketSql, conditionOf, type Partition } from './partitions.ts'
import type { Target } from './target.ts'

interface WriteInput {
  client: pg.ClientBase
  duckdb: DuckDBConnection
  target: Target
  /** A folder for what is under way. */
  staging: string
  /** Bytes of the data files that are there, by name. */
  present: ReadonlyMap<string, number>
}

/** Partitions of a dataset that are read together. */
interface Batch {
  dataset: Dataset
  partitions: Partition[]
  rows: number
}

/**
 * So many rows at a time bound what lies in memory and, of two batches, on disk; a partition that has more is one batch. Each
 * batch reads the whole table to find its rows, so that they grow with it; from the second one on, both sides work.
 */
const BATCH_ROWS = { least: 250_000, most: 1_000_000, batches: 8 }
/** The bucket of a row's key, on its way; no column of a dataset has this name. */
const BUCKET = '_bucket'

/**
 * Writes the files of partitions. Postgres sends them as CSV and DuckDB makes Parquet of it, while Postgres sends the next ones.
 * DuckDB's postgres extension would read them without the CSV; it is a download for each platform and version.
 */
export async function* writePartitions(
  input: WriteInput,
  changed: readonly { dataset: Dataset; partitions: readonly Partition[] }[],
): AsyncGenerator<{ dataset: Dataset; file: ExportedFile }> {
  const batches = changed.flatMap(({ dataset, partitions }) => batchesOf(dataset, partitions))
  // The other core has the Parquet to make: one that sends rows to this one only costs.
  await input.client.query('set local max_parallel_workers_per_gather to 0')
  const fetch = (n: number): Promise<string> | null => {
    const batch = batches[n]
    if (!batch) return null
    const csv = fetchBatch(input, batch, n)
    // A failure is met where it is waited for, which may be later than it comes.
    csv.catch(() => {})
    return csv
  }
  let fetched = fetch(0)
  try {
    for (const [n, { dataset, partitions }] of batches.entries()) {
      const csv = (await fetched)!
      fetched = fetch(n + 1)
      await loadBatch(input, dataset, csv)
      for (const partition of partitions)
        yield { dataset, file: await writePartition(input, dataset, partition) }
      await input.duckdb.run('drop table batch')
    }
  } finally {
    // The connection is free for the next statement after that.
    await fetched?.catch(() => {})
  }
}

function batchesOf(dataset: Dataset, partitions: readonly Partition[]): Batch[] {
  const batches: Batch[] = []
  const rows = partitions.reduce((sum, partition) => sum + partition.rows, 0)
  const batchRows = Math.min(BATCH_ROWS.most, Math.max(BATCH_ROWS.least, rows / BATCH_ROWS.batches))
  for (const partition of partitions) {
    const last = batches.at(-1)
    if (last && last.rows + partition.rows <= batchRows) {
      last.partitions.push(partition)
      last.rows += partition.rows
    } else batches.push({ dataset, partitions: [partition], rows: partition.rows })
  }
  return batches
}

/** Returns the file of its rows. */
async function fetchBatch(
  { client, staging }: WriteInput,
  { dataset, partitions }: Batch,
  n: number,
): Promise<string> {
  const bucket = bucketSql(dataset)
  const sent = Object.entries(dataset.columns).map(([name, column]) => sentSql(name, column))
  const conditions = partitions.map((one) => conditionOf(dataset, one, { type: 'timestamptz', bucket }))
  const rows = client.query(
    copyTo(
      `copy (select ${[...sent, bucket].join(', ')} from ${dataset.from}
         where ${conditions.join(' or ')})
       to stdout (format csv)`,
    ),
  )
  const csv = join(staging, `batch-${n}.csv`)
  await pipeline(rows, createWriteStream(csv, { highWaterMark: 1_048_576 }))
  return csv
}

async function loadBatch({ duckdb }: WriteInput, dataset: Dataset, csv: string): Promise<void> {
  const fields = fieldsOf(dataset)
  const names = Object.keys(dataset.columns)
  const columns = [...names.map((name) => `${literal(name)}: 'VARCHAR'`), `${BUCKET}: 'SMALLINT'`]
  await duckdb.run(
    `create temp table batch as select ${fields.map(({ read, name }) => `${read} as ${quote(name)}`).join(', ')}, ${BUCKET}
     from read_csv(${literal(csv)}, columns = {${columns.join(', ')}}, auto_detect = false, header = false, delim = ',',
       quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false)`,
  )
  await rm(csv)
}

/** Level 1 takes two thirds of the time of the usual 3, and its files are not larger. */
async function writePartition(
  { duckdb, target, staging, present }: WriteInput,
  dataset: Dataset,
  partition: Partition,
): Promise<ExportedFile> {
  const { name, rows, revision } = partition
  const draft = join(staging, `${dataset.name}.${name}.parquet`)
  const condition = conditionOf(dataset, partition, { type: 'timestamp', bucket: BUCKET })
  await duckdb.run(
    `copy (select * exclude (${BUCKET}) from batch where ${condition} order by ${dataset.sort.map(quote).join(', ')})
     to ${literal(draft)} (format parquet, compression zstd, compression_level 1)`,
  )
  const holdsDecimals = fieldsOf(dataset).some((field) => field.name === UNFIT)
  const [found] = await duckRows<{ rows: bigint; unfit: bigint }>(
    duckdb,
    `select count(*) as rows, ${holdsDecimals ? `count(${UNFIT})` : '0::bigint'} as unfit from batch where ${condition}`,
  )
  if (Number(found!.rows) !== rows)
    throw new Error(`${dataset.name} ${name}: ${found!.rows} of ${rows} rows came out of the database`)
  const sha256 = await sha256Of(draft)
  const file = dataFile({ dataset: dataset.name, partition: name, sha256 })
  const { size } = await stat(draft)
  if (present.get(file) !== size) await target.put(draft, file)
  await rm(draft, { force: true })
  return { partition: name, file, rows, bytes: size, sha256, revision, unfit: Number(found!.unfit) }
}
