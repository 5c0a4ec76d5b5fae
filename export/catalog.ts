import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset } from './dataset.ts'
import { literal } from './duckdb.ts'
import { fieldsOf, quote } from './fields.ts'
import type { Manifest } from './manifest.ts'
import { VIEWS } from './views.ts'

export const CATALOG = 'catalog.duckdb'

/**
 * Makes the database that analysts open: a view over the files of each dataset, the views made of these, comments on all of
 * it, and `export_files` with what the manifest says. The views name the files by where the folder is now.
 */
export async function writeCatalog(
  duckdb: DuckDBConnection,
  input: { path: string; folder: string; manifest: Manifest; datasets: readonly Dataset[] },
): Promise<void> {
  const { path, folder, manifest, datasets } = input
  await duckdb.run(`attach ${literal(path)} as made`)
  try {
    await duckdb.run('use made')
    // One commit: each takes as long as the disk.
    await duckdb.run('begin')
    await writeExportFiles(duckdb, manifest)
    for (const dataset of datasets) {
      const files = manifest.datasets[dataset.name]!.files.map(({ file }) => join(folder, file))
      await duckdb.run(`create view ${quote(dataset.name)} as ${selectOf(dataset, files)}`)
      await comment(duckdb, dataset.name, { ...dataset, columns: fieldsOf(dataset) })
    }
    for (const view of VIEWS) {
      await duckdb.run(`create view ${quote(view.name)} as ${view.sql}`)
      const columns = Object.entries(view.columns).map(([name, text]) => ({ name, comment: text }))
      await comment(duckdb, view.name, { ...view, columns })
    }
    await duckdb.run('commit')
    await duckdb.run('checkpoint made')
  } finally {
    await duckdb.run('use memory')
    await duckdb.run('detach made')
  }
}

function selectOf(dataset: Dataset, files: readonly string[]): string {
  const fields = fieldsOf(dataset)
  if (files.length === 0)
    return `select ${fields.map(({ name, type }) => `null::${type} as ${quote(name)}`).join(', ')} where false`
  return `select ${fields.map(({ name }) => quote(name)).join(', ')} from read_parquet([${files.map(literal).join(', ')}])`
}

async function comment(
  duckdb: DuckDBConnection,
  name: string,
  about: { description: string; columns: readonly { name: string; comment: string }[] },
): Promise<void> {
  await duckdb.run(`comment on view ${quote(name)} is ${literal(about.description)}`)
  for (const column of about.columns)
    await duckdb.run(`comment on column ${quote(name)}.${quote(column.name)} is ${literal(column.comment)}`)
}

async function writeExportFiles(
  duckdb: DuckDBConnection,
  { datasets, ...manifest }: Manifest,
): Promise<void> {
  await duckdb.run(
    `create table export_files (exported_at timestamp, schema_version varchar, dataset varchar, partition varchar,
       file varchar, rows bigint, bytes bigint, sha256 varchar)`,
  )
  const about = `timestamp ${literal(manifest.exportedAt.slice(0, -1))}, ${literal(manifest.schemaVersion)}`
  const rows = Object.entries(datasets).flatMap(([name, { files }]) =>
    files.map(
      ({ partition, file, rows, bytes, sha256 }) =>
        `(${about}, ${literal(name)}, ${literal(partition)}, ${literal(file)}, ${rows}, ${bytes}, ${literal(sha256)})`,
    ),
  )
  if (rows.length > 0) await duckdb.run(`insert into export_files values ${rows.join(', ')}`)
  await duckdb.run(
    `comment on table export_files is 'The files that the views read, as manifest.json has them'`,
  )
}
