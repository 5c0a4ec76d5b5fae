import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { csvRows, writeCsv } from './csv.ts'
import { dataFile, sha256Of } from './data-file.ts'
import type { Dataset } from './dataset.ts'
import { duckRows, literal } from './duckdb.ts'
import { fieldsOf, quote, readColumns, sentColumns, sentTypes, UNFIT } from './fields.ts'
import type { ExportedFile } from './manifest.ts'
import { atSql, bucketSql, conditionOf, type Partition } from './partitions.ts'
import type { Target } from './target.ts'

interface WriteInput {
  client: pg.ClientBase
  duckdb: DuckDBConnection
  target: Target
  /** Folder for unfinished files. */
  staging: string
  /** Bytes of the existing data files, by name. */
  present: ReadonlyMap<string, number>
}

/** Partitions of a dataset that are read with one query. */
interface Batch {
  dataset: Dataset
  partitions: Partition[]
  rows: number
}

interface FetchedBatch extends Batch {
  /** Path of its rows. */
  csv: string
}

/**
 * Rows of a batch. They bound the memory and, for two batches, the disk space; a larger partition is one
 * batch. Each batch reads the whole table to find its rows, so batches grow with the table. From the second
 * batch on, Postgres and DuckDB work in parallel.
 */
const BATCH_ROWS = { least: 500_000, most: 1_000_000, batches: 8 }
/** Temporary column with the bucket of a row's key. No column of a dataset has this name. */
const BUCKET = '_bucket'

/**
 * Writes the files of partitions. Postgres sends a batch as CSV, and DuckDB converts it to Parquet while Postgres
 * sends the next one, or finds what changed in the next dataset. DuckDB's postgres extension would need no CSV, but it
 * is a separate download for each platform and version.
 */
export async function* writePartitions(
  input: WriteInput,
  changed: AsyncIterable<{ dataset: Dataset; partitions: readonly Partition[] }>,
): AsyncGenerator<{ dataset: Dataset; file: ExportedFile }> {
  const batches = (async function* (): AsyncGenerator<Batch, void> {
    for await (const { dataset, partitions } of changed) yield* batchesOf(dataset, partitions)
  })()
  const fetchNext = (): Promise<FetchedBatch | null> => {
    const next = batches.next().then((batch) => (batch.done === true ? null : fetchBatch(input, batch.value)))
    // The failure is handled where the promise is awaited, which may be later.
    next.catch(() => {})
    return next
  }
  let fetched = fetchNext()
  try {
    for (let batch = await fetched; batch !== null; batch = await fetched) {
      fetched = fetchNext()
      const { dataset, partitions } = batch
      await loadBatch(input, batch)
      for (const partition of partitions)
        yield { dataset, file: await writePartition(input, dataset, partition) }
      await input.duckdb.run('drop table batch')
    }
  } finally {
    // Only then is the connection free for the next statement.
    await fetched.catch(() => {})
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

/** Writes the rows of a batch to a CSV file. */
async function fetchBatch({ client, staging }: WriteInput, batch: Batch): Promise<FetchedBatch> {
  const { dataset, partitions } = batch
  const bucket = bucketSql(dataset)
  const at = dataset.cut === null ? '' : atSql(dataset)
  const conditions = partitions.map((one) => conditionOf(dataset, one, { at, bucket }))
  const csv = join(staging, `${dataset.name}.${partitions[0]!.name}.csv`)
  // Other cores write the Parquet files; parallel workers in Postgres would only add cost.
  await client.query('set local max_parallel_workers_per_gather to 0')
  await writeCsv(
    client,
    `select ${[...sentColumns(dataset), bucket].join(', ')} from ${dataset.from} where ${conditions.join(' or ')}`,
    csv,
  )
  await client.query('set local max_parallel_workers_per_gather to default')
  return { ...batch, csv }
}

async function loadBatch({ duckdb }: WriteInput, { dataset, csv }: FetchedBatch): Promise<void> {
  const rows = csvRows(csv, { ...sentTypes(dataset), [BUCKET]: 'SMALLINT' })
  await duckdb.run(
    `create temp table batch as select ${readColumns(dataset).join(', ')}, ${BUCKET} from ${rows}`,
  )
  await rm(csv)
}

/** Compression level 1 takes two thirds of the time of the default 3, and its files are not larger. */
async function writePartition(
  { duckdb, target, staging, present }: WriteInput,
  dataset: Dataset,
  partition: Partition,
): Promise<ExportedFile> {
  const { name, rows, revision } = partition
  const draft = join(staging, `${dataset.name}.${name}.parquet`)
  const condition = conditionOf(dataset, partition, {
    at: quote(dataset.cut?.at ?? ''),
    bucket: BUCKET,
  })
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
    throw new Error(`${dataset.name} ${name}: received ${found!.rows} of ${rows} rows from the database`)
  const sha256 = await sha256Of(draft)
  const file = dataFile({ dataset: dataset.name, partition: name, sha256 })
  const { size } = await stat(draft)
  if (present.get(file) !== size) await target.put(draft, file)
  await rm(draft, { force: true })
  return { partition: name, file, rows, bytes: size, sha256, revision, unfit: Number(found!.unfit) }
}
