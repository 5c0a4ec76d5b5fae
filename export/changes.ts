import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { dataFile, sha256Of } from './data-file.ts'
import { type Dataset, instant, text } from './dataset.ts'
import { duckRows, literal } from './duckdb.ts'
import { fieldsOf, noRows, quote } from './fields.ts'
import type { ChangeFeed, ChangeFile, ExportedFile } from './manifest.ts'
import type { Target } from './target.ts'

/** How long a reader can ask what changed since an export. */
const KEPT_MS = 7 * 86_400_000
/** Rows of changed files that are compared. A rewritten history begins the feed anew instead. */
const MOST_COMPARED_ROWS = 2_000_000

/** The columns before those of the dataset. */
export const CHANGE_COLUMNS = {
  exported_at: instant('Export that first had this change'),
  change: text('delete: the row was there before; insert: it is there since. A changed row has both'),
}

/** The dataset of the changes of a dataset. */
export const changesOf = (dataset: Dataset): Dataset => ({
  ...dataset,
  description: `Changed rows of ${dataset.name}, by export.`,
  columns: { ...CHANGE_COLUMNS, ...dataset.columns },
})

interface Run {
  duckdb: DuckDBConnection
  target: Target
  staging: string
  /** Bytes of the existing data files, by name. */
  present: ReadonlyMap<string, number>
}

/** The files of a dataset after two exports, with the feed up to the first. */
interface Step {
  dataset: Dataset
  before: readonly ExportedFile[]
  after: readonly ExportedFile[]
  feed: ChangeFeed
  /** when the first was exported */
  since: string
  /** when the second is exported */
  until: string
}

/** A feed that knows no change: a reader of an earlier export reads everything. */
export const newFeed = (from: string): ChangeFeed => ({ from, files: [] })

/**
 * Adds what an export changed to the feed of a dataset, drops what is older than seven days, and merges the
 * files of past hours and of past days. Begins anew when too much changed or a file is missing.
 */
export async function extendFeed(run: Run, step: Step): Promise<ChangeFeed> {
  const { dataset, feed, since, until } = step
  const [removed, added] = [withoutSame(step.before, step.after), withoutSame(step.after, step.before)]
  const compared = [...removed, ...added].reduce((sum, { rows }) => sum + rows, 0)
  const needed = [...removed, ...feed.files]
  if (compared > MOST_COMPARED_ROWS || needed.some(({ file, bytes }) => run.present.get(file) !== bytes))
    return newFeed(until)
  const kept = withoutOld(feed, until)
  const files: ChangeFile[] = []
  for (const group of periodsOf(kept.files, until))
    files.push(group.length === 1 ? group[0]! : await merge(run, dataset, group))
  if (compared > 0) {
    const sql = await differenceSql(run, { dataset, removed, added, until })
    const made = await writeChanges(run, dataset, { sql, from: since, to: until })
    if (made) files.push(made)
  }
  return { from: kept.from, files }
}

const withoutSame = (files: readonly ExportedFile[], others: readonly ExportedFile[]): ExportedFile[] => {
  const names = new Set(others.map(({ file }) => file))
  return files.filter(({ file }) => !names.has(file))
}

/** Drops the files that are too old for a reader, who then asks from the last of them on. */
function withoutOld({ from, files }: ChangeFeed, now: string): ChangeFeed {
  const isOld = ({ to }: ChangeFile) => Date.parse(now) - Date.parse(to) > KEPT_MS
  return { from: files.findLast(isOld)?.to ?? from, files: files.filter((file) => !isOld(file)) }
}

/** Groups files in order: one for each past day, one for each past hour of this day, and each of this hour alone. */
export function periodsOf(files: readonly ChangeFile[], now: string): ChangeFile[][] {
  const [hour, day] = ['YYYY-MM-DDTHH'.length, 'YYYY-MM-DD'.length]
  const periodOf = ({ to }: ChangeFile) => {
    if (to.slice(0, hour) === now.slice(0, hour)) return to
    return to.slice(0, to.slice(0, day) === now.slice(0, day) ? hour : day)
  }
  return [...Map.groupBy(files, periodOf).values()]
}

async function merge(run: Run, dataset: Dataset, files: readonly ChangeFile[]): Promise<ChangeFile> {
  const sql = await rowsSql(run, changesOf(dataset), files)
  return (await writeChanges(run, dataset, { sql, from: files[0]!.from, to: files.at(-1)!.to }))!
}

/**
 * SQL of the rows that only one side has, each as often as it has it more. It counts them in one pass: `except all` in
 * both directions takes six times as long.
 */
async function differenceSql(
  run: Run,
  step: { dataset: Dataset; removed: readonly ExportedFile[]; added: readonly ExportedFile[]; until: string },
): Promise<string> {
  const { dataset, until } = step
  const [before, after] = [await rowsSql(run, dataset, step.removed), await rowsSql(run, dataset, step.added)]
  const columns = fieldsOf(dataset)
    .map(({ name }) => quote(name))
    .join(', ')
  return `select timestamptz ${literal(until)} as exported_at, if(_more < 0, 'delete', 'insert') as change, ${columns}
    from (select ${columns}, sum(_side) as _more
      from (select -1 as _side, * from (${before}) union all select 1, * from (${after})) group by ${columns} having _more <> 0),
      range(abs(_more)::bigint)`
}

async function rowsSql(
  { target, staging }: Run,
  dataset: Dataset,
  files: readonly { file: string }[],
): Promise<string> {
  if (files.length === 0) return noRows(dataset)
  const names = files.map(({ file }) => file)
  const root = await target.localCopy(names, join(staging, 'changes'))
  const columns = fieldsOf(dataset).map(({ name }) => quote(name))
  return `select ${columns.join(', ')} from read_parquet([${names.map((name) => literal(join(root, name))).join(', ')}])`
}

/** Writes a file of the feed; null: there are no rows. */
async function writeChanges(
  { duckdb, target, staging }: Run,
  { name, sort }: Dataset,
  { sql, from, to }: { sql: string; from: string; to: string },
): Promise<ChangeFile | null> {
  const draft = join(staging, `${name}.changes.parquet`)
  const order = ['exported_at', ...sort, 'change'].map(quote).join(', ')
  await duckdb.run(
    `copy (from (${sql}) order by ${order}) to ${literal(draft)} (format parquet, compression zstd, compression_level 1)`,
  )
  const [found] = await duckRows<{ rows: bigint }>(
    duckdb,
    `select count(*) as rows from read_parquet(${literal(draft)})`,
  )
  const rows = Number(found!.rows)
  if (rows === 0) return null
  const sha256 = await sha256Of(draft)
  const file = dataFile({ dataset: `${name}_changes`, partition: to.replace(/\D/g, ''), sha256 })
  const { size: bytes } = await stat(draft)
  await target.put(draft, file)
  return { from, to, file, rows, bytes, sha256 }
}
