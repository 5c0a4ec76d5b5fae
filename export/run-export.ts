import { createHash } from 'node:crypto'
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { schemaVersion } from '../db/migrate.ts'
import { CATALOG, writeCatalog } from './catalog.ts'
import type { Dataset } from './dataset.ts'
import { DATASETS } from './datasets.ts'
import { withDuckDb } from './duckdb.ts'
import { fieldsOf } from './fields.ts'
import { type ExportedFile, type Manifest, MANIFEST, readManifest } from './manifest.ts'
import { type Partition, readPartitions } from './partitions.ts'
import { emptyStaging, listData, putInPlace, removeStaging } from './publish.ts'
import { type Snapshot, withExportSnapshot } from './snapshot.ts'
import { writePartitions } from './write-partitions.ts'

export interface ExportSummary {
  exportedAt: string
  /** By dataset. */
  datasets: { name: string; rows: number; files: number; written: number; unfit: number }[]
}

interface Run {
  client: pg.ClientBase
  duckdb: DuckDBConnection
  folder: string
  staging: string
  previous: Manifest | null
}

/** For how long a reader of an earlier export may go on: its files stay. */
const GRACE_MS = 3_600_000

/**
 * Brings the export in a folder up to date with the database: one snapshot of all tables, of which the partitions that are
 * not what they were become new files. Until its end readers have the export before, whole; the same after a kill at any
 * moment. One runs at a time on a database; a second one waits half a minute, then throws.
 */
export async function runExport(options: {
  pool: pg.Pool
  folder: string
  now: () => Date
}): Promise<ExportSummary> {
  await mkdir(options.folder, { recursive: true })
  // The views of the catalog name files by it, wherever they are asked from.
  const folder = await realpath(options.folder)
  const version = await schemaVersion()
  return withExportSnapshot(options.pool, async (snapshot) => {
    const staging = await emptyStaging(folder)
    try {
      const previous = await readManifest(folder)
      return await withDuckDb(join(staging, 'spill'), async (duckdb) => {
        const run = { client: snapshot.client, duckdb, folder, staging, previous }
        const datasets: Manifest['datasets'] = {}
        const summary: ExportSummary['datasets'] = []
        for (const dataset of DATASETS) {
          const { files, written } = await exportDataset(run, dataset, version)
          const rows = sum(files, (file) => file.rows)
          datasets[dataset.name] = { definition: definitionOf(dataset, version), rows, files }
          const unfit = sum(files, (file) => file.unfit)
          summary.push({ name: dataset.name, rows, files: files.length, written, unfit })
        }
        await publish(run, { snapshot, version, datasets, now: options.now() })
        return { exportedAt: snapshot.exportedAt, datasets: summary }
      })
    } finally {
      await removeStaging(folder)
    }
  })
}

async function exportDataset(
  run: Run,
  dataset: Dataset,
  version: string,
): Promise<{ files: ExportedFile[]; written: number }> {
  const before = run.previous?.datasets[dataset.name]
  const known = before?.definition === definitionOf(dataset, version) ? before.files : []
  const kept: ExportedFile[] = []
  const changed: Partition[] = []
  for (const partition of await readPartitions(run.client, dataset)) {
    const file = known.find((one) => one.partition === partition.name && one.revision === partition.revision)
    if (file && (await isThere(run.folder, file))) kept.push(file)
    else changed.push(partition)
  }
  const written: ExportedFile[] = []
  for await (const file of writePartitions({ ...run, dataset, partitions: changed })) written.push(file)
  const files = [...kept, ...written].sort((a, b) => (a.partition < b.partition ? -1 : 1))
  return { files, written: written.length }
}

/** A file that somebody took away or cut is written again. */
async function isThere(folder: string, { file, bytes }: ExportedFile): Promise<boolean> {
  return stat(join(folder, file)).then(
    ({ size }) => size === bytes,
    () => false,
  )
}

/** Changes with what is exported of a dataset and how, and with the schema of the database. */
function definitionOf(dataset: Dataset, version: string): string {
  const text = JSON.stringify([version, dataset, fieldsOf(dataset)])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The catalog first, then the manifest: each of them is whole, and names files that stay for a while. */
async function publish(
  { duckdb, folder, staging, previous }: Run,
  {
    snapshot,
    version,
    datasets,
    now,
  }: { snapshot: Snapshot; version: string; datasets: Manifest['datasets']; now: Date },
): Promise<void> {
  const named = new Set(Object.values(datasets).flatMap(({ files }) => files.map(({ file }) => file)))
  const retired = (await listData(folder))
    .filter((file) => !named.has(file))
    .map((file) => [file, previous?.retired[file] ?? now.toISOString()] as const)
  const isOver = (since: string) => now.getTime() - Date.parse(since) > GRACE_MS
  const { exportedAt, snapshot: id } = snapshot
  const manifest: Manifest = {
    ...{ format: 1, exportedAt, snapshot: id, schemaVersion: version, datasets },
    retired: Object.fromEntries(retired.filter(([, since]) => !isOver(since))),
  }
  const [catalog, text] = [join(staging, CATALOG), join(staging, MANIFEST)]
  await writeCatalog(duckdb, { path: catalog, folder, manifest, datasets: DATASETS })
  await writeFile(text, `${JSON.stringify(manifest, null, 1)}\n`)
  await putInPlace(catalog, join(folder, CATALOG))
  await putInPlace(text, join(folder, MANIFEST))
  for (const [file, since] of retired) if (isOver(since)) await rm(join(folder, file), { force: true })
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
