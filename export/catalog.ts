import { link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { CHANGE_COLUMNS, changesOf } from './changes.ts'
import type { Dataset } from './dataset.ts'
import { literal } from './duckdb.ts'
import { fieldsOf, noRows, quote } from './fields.ts'
import type { Manifest } from './manifest.ts'
import { QUESTIONS } from './questions.ts'
import { VIEWS } from './views.ts'

export const CATALOG = 'catalog.duckdb'

/**
 * Writes the database that analysts open: a view over the files of each dataset, views derived from these,
 * comments on all of them, and `export_files` with the content of the manifest. The views read the files
 * below the variable `root`, else below the export. While the views are created, `root` is a folder of files
 * without rows: DuckDB only reads their columns, and files in a store are not on this machine.
 */
export async function writeCatalog(
  duckdb: DuckDBConnection,
  input: { path: string; staging: string; root: string; manifest: Manifest; datasets: readonly Dataset[] },
): Promise<void> {
  const { path, staging, root, manifest, datasets } = input
  const filesOf = ({ name }: Dataset) => manifest.datasets[name]!.files.map(({ file }) => file)
  const empty = join(staging, 'empty')
  await mkdir(empty)
  const changeFilesOf = ({ name }: Dataset) =>
    manifest.datasets[name]!.changes?.files.map(({ file }) => file) ?? []
  for (const dataset of datasets) {
    await writeEmptyFiles(duckdb, empty, dataset, filesOf(dataset))
    await writeEmptyFiles(duckdb, empty, changesOf(dataset), changeFilesOf(dataset))
  }
  await duckdb.run(`set variable root = ${literal(empty)}; attach ${literal(path)} as made`)
  try {
    // One commit for all, because each waits for the disk.
    await duckdb.run('use made; begin')
    await writeExportFiles(duckdb, manifest)
    for (const dataset of datasets)
      await createView(duckdb, {
        ...dataset,
        sql: selectOf(dataset, root, filesOf(dataset)),
        columns: fieldsOf(dataset),
      })
    for (const view of [...VIEWS, ...QUESTIONS]) {
      const columns = Object.entries(view.columns).map(([name, comment]) => ({ name, comment }))
      await createView(duckdb, { ...view, columns })
    }
    await duckdb.run('create schema changes')
    // The others are described in the views of the datasets; a thousand more comments take half a second.
    const changeColumns = Object.entries(CHANGE_COLUMNS).map(([name, { comment }]) => ({ name, comment }))
    for (const dataset of datasets.map(changesOf))
      await createView(
        duckdb,
        {
          ...dataset,
          sql: selectOf(dataset, root, changeFilesOf(dataset)),
          columns: changeColumns,
        },
        'changes.',
      )
    await duckdb.run('commit; checkpoint made')
  } finally {
    await duckdb.run('use memory; detach made; reset variable root')
  }
}

/** Writes files without rows, with the names and columns of the dataset's files. */
async function writeEmptyFiles(
  duckdb: DuckDBConnection,
  folder: string,
  dataset: Dataset,
  files: readonly string[],
): Promise<void> {
  const [first, ...others] = files.map((file) => join(folder, file))
  if (first === undefined) return
  await mkdir(dirname(first), { recursive: true })
  await duckdb.run(`copy (${noRows(dataset)}) to ${literal(first)} (format parquet)`)
  for (const other of others) await link(first, other)
}

function selectOf(dataset: Dataset, root: string, files: readonly string[]): string {
  if (files.length === 0) return noRows(dataset)
  const names = fieldsOf(dataset).map(({ name }) => quote(name))
  const paths = `list_transform([${files.map(literal).join(', ')}],
    lambda file: coalesce(getvariable('root'), ${literal(root)}) || '/' || file)`
  return `select ${names.join(', ')} from read_parquet(${paths})`
}

async function createView(
  duckdb: DuckDBConnection,
  view: {
    name: string
    sql: string
    description: string
    columns: readonly { name: string; comment: string }[]
  },
  schema = '',
): Promise<void> {
  const name = `${schema}${quote(view.name)}`
  const comments = view.columns.map(
    (column) => `comment on column ${name}.${quote(column.name)} is ${literal(column.comment)}`,
  )
  await duckdb.run(
    [
      `create view ${name} as ${view.sql}`,
      `comment on view ${name} is ${literal(view.description)}`,
      ...comments,
    ].join(';\n'),
  )
}

async function writeExportFiles(
  duckdb: DuckDBConnection,
  { datasets, ...manifest }: Manifest,
): Promise<void> {
  await duckdb.run(
    `create table export_files (exported_at timestamptz, schema_version varchar, dataset varchar, partition varchar,
       file varchar, rows bigint, bytes bigint, sha256 varchar)`,
  )
  const about = `timestamptz ${literal(manifest.exportedAt)}, ${literal(manifest.schemaVersion)}`
  const rows = Object.entries(datasets).flatMap(([name, { files }]) =>
    files.map(
      ({ partition, file, rows, bytes, sha256 }) =>
        `(${about}, ${literal(name)}, ${literal(partition)}, ${literal(file)}, ${rows}, ${bytes}, ${literal(sha256)})`,
    ),
  )
  if (rows.length > 0) await duckdb.run(`insert into export_files values ${rows.join(', ')}`)
  const feeds = Object.entries(datasets).map(
    ([name, { rows: count, changes }]) =>
      `(${about}, ${literal(name)}, ${count}, ${changes ? `timestamptz ${literal(changes.from)}` : 'null'})`,
  )
  await duckdb.run(
    `create table export_datasets (exported_at timestamptz, schema_version varchar, dataset varchar, rows bigint,
       changes_from timestamptz);
     insert into export_datasets values ${feeds.join(', ')};
     comment on table export_files is 'The files that the views read, as in manifest.json';
     comment on table export_datasets is 'The datasets of this export. The views of the schema changes know what changed since changes_from, and not before'`,
  )
}
