import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type pg from 'pg'
import { schemaVersion } from '../db/migration-names.ts'
import { CATALOG, writeCatalog } from './catalog.ts'
import { type ColdFile, coldFilesOf, isColdFile, readColdFiles } from './cold/cold-files.ts'
import { extendFeed, newFeed } from './changes.ts'
import type { Dataset } from './dataset.ts'
import { DBT_SOURCES, printDbtSources } from './dbt-sources.ts'
import { DATASETS } from './datasets.ts'
import { withDuckDb } from './duckdb.ts'
import { fieldsOf } from './fields.ts'
import {
  type ChangeFeed,
  type ExportedFile,
  FORMAT,
  type Manifest,
  MANIFEST,
  readManifest,
} from './manifest.ts'
import { FILE_ROWS, type Partition, readPartitions } from './partitions.ts'
import { type Snapshot, withExportSnapshot } from './snapshot.ts'
import type { Target } from './target.ts'
import { writePartitions } from './write-partitions.ts'

export interface ExportSummary {
  exportedAt: string
  /** One entry per dataset. */
  datasets: { name: string; rows: number; files: number; written: number; unfit: number }[]
}

interface Run {
  client: pg.ClientBase
  duckdb: DuckDBConnection
  target: Target
  staging: string
  previous: Manifest | null
  /** Bytes of the existing data files, by name. */
  present: ReadonlyMap<string, number>
  fileRows: number
  cold: readonly ColdFile[]
}

/** What to do for a dataset: `files` stay, `partitions` become new files. */
interface Plan {
  dataset: Dataset
  files: ExportedFile[]
  partitions: Partition[]
}

/** How long the files of an earlier export stay for its readers. */
const GRACE_MS = 3_600_000

/**
 * Brings an export up to date with one snapshot of all tables: changed partitions become new files. Until it
 * ends, and after a kill at any moment, readers see the previous export complete. Only one export runs at a
 * time on a database; a second one waits half a minute, then throws.
 */
export async function runExport(options: {
  pool: pg.Pool
  target: Target
  now: () => Date
  fileRows?: number
}): Promise<ExportSummary> {
  const { pool, target, now, fileRows = FILE_ROWS } = options
  const version = schemaVersion()
  return withExportSnapshot(pool, (snapshot) =>
    target.withStaging(async (staging) => {
      const previous = await readManifest(target)
      const present = await target.listData()
      return withDuckDb(join(staging, 'spill'), async (duckdb) => {
        const { client } = snapshot
        const cold = await readColdFiles(client)
        const run = { client, duckdb, target, staging, previous, present, fileRows, cold }
        const plans = new Map<Dataset, Plan>()
        async function* planned() {
          for (const dataset of DATASETS) {
            const plan = await planDataset(run, dataset, version)
            plans.set(dataset, plan)
            yield plan
          }
        }
        const written = new Map<Dataset, number>()
        for await (const { dataset, file } of writePartitions(run, planned())) {
          plans.get(dataset)!.files.push(file)
          if (!present.has(file.file)) written.set(dataset, (written.get(dataset) ?? 0) + 1)
        }
        const datasets: Manifest['datasets'] = {}
        for (const plan of plans.values()) {
          const entry = entryOf(plan, version)
          datasets[plan.dataset.name] = { ...entry, changes: await changesSince(run, plan, entry, snapshot) }
        }
        await publish(run, { snapshot, version, datasets, now: now() })
        return {
          exportedAt: snapshot.exportedAt,
          datasets: [...plans.values()].map(({ dataset, files }) => ({
            name: dataset.name,
            rows: sum(files, (file) => file.rows),
            files: files.length,
            written: written.get(dataset) ?? 0,
            unfit: sum(files, (file) => file.unfit),
          })),
        }
      })
    }),
  )
}

async function planDataset(run: Run, dataset: Dataset, version: string): Promise<Plan> {
  const before = run.previous?.datasets[dataset.name]
  const known = before?.definition === definitionOf(dataset, version) ? before.files : []
  const files = coldFilesOf(dataset, run.cold, run.present)
  const partitions: Partition[] = []
  for (const partition of await readPartitions(run.client, dataset, run.fileRows)) {
    const file = known.find((one) => one.partition === partition.name && one.revision === partition.revision)
    // A file that was deleted or truncated is written again.
    if (file && run.present.get(file.file) === file.bytes) files.push(file)
    else partitions.push(partition)
  }
  return { dataset, files, partitions }
}

function entryOf({ dataset, files }: Plan, version: string): Manifest['datasets'][string] {
  files.sort((a, b) => (a.partition < b.partition ? -1 : 1))
  return { definition: definitionOf(dataset, version), rows: sum(files, (file) => file.rows), files }
}

/** The feed of changes of a dataset. With other columns it begins anew. */
async function changesSince(
  run: Run,
  { dataset }: Plan,
  { definition, files }: Manifest['datasets'][string],
  { exportedAt }: Snapshot,
): Promise<ChangeFeed> {
  const before = run.previous?.datasets[dataset.name]
  if (before?.definition !== definition || !before.changes) return newFeed(exportedAt)
  const { changes: feed, files: earlier } = before
  const since = run.previous!.exportedAt
  return extendFeed(run, { dataset, before: earlier, after: files, feed, since, until: exportedAt })
}

/** Digest of what is exported of a dataset and how, and of the schema of the database. */
function definitionOf(dataset: Dataset, version: string): string {
  const text = JSON.stringify([version, dataset, fieldsOf(dataset)])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Publishes the catalog, then the manifest. Each is complete and names files that stay for a while. */
async function publish(
  { duckdb, target, staging, previous, present, fileRows }: Run,
  {
    snapshot,
    version,
    datasets,
    now,
  }: { snapshot: Snapshot; version: string; datasets: Manifest['datasets']; now: Date },
): Promise<void> {
  const named = new Set(
    Object.values(datasets).flatMap(({ files, changes }) =>
      [...files, ...(changes?.files ?? [])].map(({ file }) => file),
    ),
  )
  const retired = [...present.keys()]
    .filter((file) => !named.has(file) && !isColdFile(file))
    .map((file) => [file, previous?.retired[file] ?? now.toISOString()] as const)
  const isOver = (since: string) => now.getTime() - Date.parse(since) > GRACE_MS
  const { exportedAt, snapshot: id } = snapshot
  const manifest: Manifest = {
    format: FORMAT,
    exportedAt,
    snapshot: id,
    schemaVersion: version,
    fileRows,
    datasets,
    retired: Object.fromEntries(retired.filter(([, since]) => !isOver(since))),
  }
  const [catalog, sources, text] = [CATALOG, DBT_SOURCES, MANIFEST].map((name) => join(staging, name)) as [
    string,
    string,
    string,
  ]
  await writeCatalog(duckdb, { path: catalog, staging, root: target.root, manifest, datasets: DATASETS })
  await writeFile(sources, printDbtSources(DATASETS))
  await writeFile(text, `${JSON.stringify(manifest, null, 1)}\n`)
  await target.put(catalog, CATALOG)
  await target.put(sources, DBT_SOURCES)
  await target.put(text, MANIFEST)
  for (const [file, since] of retired) if (isOver(since)) await target.remove(file)
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
