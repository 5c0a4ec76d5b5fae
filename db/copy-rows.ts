import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { DEADLOCK, sqlStateOf, UNIQUE_VIOLATION } from './transact.ts'

export type CopyValue = string | number | bigint | boolean | Date | null | readonly string[]

/** Rows for one table, each in the order of `columns`. */
export interface RowsToCopy {
  table: string
  columns: readonly string[]
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>
}

interface CopyOptions extends RowsToCopy {
  /** Columns of the unique key that identifies existing rows. */
  key: readonly string[]
  /** Columns to update in existing rows where they differ. Empty: existing rows stay. */
  update?: readonly string[]
  /** Columns updated only together with a change, such as source and fetch time. */
  stamp?: readonly string[]
}

const CHUNK_CHARS = 64 * 1024
/** Up to this many rows, creating and dropping a staging table takes longer than writing the rows. */
const FEW = 200

/**
 * Upserts rows: COPY into a temporary table (few rows: arrays as parameters), then one ordered INSERT .. ON
 * CONFLICT. Repeated rows are fine. Needs an open transaction; at most 100,000 rows per call. Returns the
 * number of rows inserted or changed.
 */
export async function copyRows(client: pg.ClientBase, options: CopyOptions): Promise<number> {
  const { table, key, rows, update = [], stamp = [] } = options
  if (Array.isArray(rows) && rows.length === 0) return 0
  const columns = options.columns.map(quote).join(', ')
  const keys = key.map(quote).join(', ')
  // DO UPDATE fails if a key occurs twice in one call. DO NOTHING keeps the first.
  const distinct = update.length > 0 ? `distinct on (${keys})` : ''
  return fromRows(client, options, async ({ source, values }) => {
    const result = await client.query(
      `insert into ${quote(table)} as stored (${columns})
       select ${distinct} ${columns} from ${source} order by ${keys}
       on conflict (${keys}) ${conflictAction(update, stamp)}`,
      values,
    )
    return result.rowCount ?? 0
  })
}

/** The rows as a FROM item, and its parameters. */
export interface RowSource {
  source: string
  values: unknown[]
}

/**
 * Lets a statement select from rows: few as parameters, more in a temporary table. Needs an open transaction.
 */
export async function fromRows<T>(
  client: pg.ClientBase,
  options: RowsToCopy,
  run: (rows: RowSource) => Promise<T>,
): Promise<T> {
  const { rows } = options
  if (Array.isArray(rows) && rows.length <= FEW) return run(await fewRows(client, { ...options, rows }))
  const source = await stageRows(client, options)
  const result = await run({ source, values: [] })
  await client.query(`drop table ${source}`)
  return result
}

/**
 * Writes rows that are most likely new, by COPY directly into the table, which is fastest. If a row already
 * exists, the COPY is rolled back and `copyRows` writes all rows. Needs an open transaction. Returns the
 * number of rows inserted.
 */
export async function appendRows(
  client: pg.ClientBase,
  options: Omit<CopyOptions, 'rows'> & { rows: () => Iterable<readonly CopyValue[]> },
): Promise<number> {
  await client.query('savepoint append')
  try {
    const inserted = await copyInto(client, { ...options, table: quote(options.table), rows: options.rows() })
    await client.query('release savepoint append')
    return inserted
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION && sqlStateOf(error) !== DEADLOCK) throw error
  }
  for (let attempt = 1; ; attempt++) {
    await client.query('rollback to savepoint append')
    try {
      return await copyRows(client, { ...options, rows: options.rows() })
    } catch (error) {
      // A deadlock with writers that still append. Each of them gives way at most once, so a retry succeeds.
      if (sqlStateOf(error) !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

const MAX_ATTEMPTS = 5

/** Rows as a FROM item with one parameter per column, which holds its values as text. */
async function fewRows(
  client: pg.ClientBase,
  {
    table,
    columns,
    rows,
  }: { table: string; columns: readonly string[]; rows: readonly (readonly CopyValue[])[] },
): Promise<RowSource> {
  const types = await columnTypes(client, table)
  const names = columns.map(quote).join(', ')
  const typed = columns
    .map((column) => `${quote(column)}::${types.get(column)} as ${quote(column)}`)
    .join(', ')
  const parameters = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  return {
    source: `(select ${typed} from unnest(${parameters}) as texts (${names})) as few`,
    values: columns.map((_, index) => rows.map((row) => valueText(row[index]!))),
  }
}

/** Cached SQL types by table and column. All databases of a process have the same schema. */
const typesOf = new Map<string, ReadonlyMap<string, string>>()

async function columnTypes(client: pg.ClientBase, table: string): Promise<ReadonlyMap<string, string>> {
  const known = typesOf.get(table)
  if (known) return known
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [quote(table)],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  typesOf.set(table, types)
  return types
}

/**
 * COPYs rows into a temporary table shaped like `table`, which is dropped at commit. Returns its quoted name.
 */
async function stageRows(client: pg.ClientBase, options: RowsToCopy): Promise<string> {
  const staged = quote(`staged_${options.table}`)
  const columns = options.columns.map(quote).join(', ')
  await client.query(
    `create temporary table ${staged} on commit drop as select ${columns} from ${quote(options.table)} with no data`,
  )
  await copyInto(client, { ...options, table: staged })
  return staged
}

/** COPYs rows into a table, given by quoted name. Returns their number. */
async function copyInto(client: pg.ClientBase, { table, columns, rows }: RowsToCopy): Promise<number> {
  const stream = client.query(copyFrom(`copy ${table} (${columns.map(quote).join(', ')}) from stdin`))
  const done = finished(stream)
  // Awaited only after the rows are written. Until then a failed COPY must not count as an unhandled
  // rejection.
  done.catch(() => {})
  try {
    await writeRows(stream, rows)
    stream.end()
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  await done
  return stream.rowCount
}

async function writeRows(stream: Writable, rows: RowsToCopy['rows']): Promise<void> {
  let chunk = ''
  for await (const row of rows) {
    for (let i = 0; i < row.length; i++) chunk += (i === 0 ? '' : '\t') + copyText(row[i]!)
    chunk += '\n'
    if (chunk.length < CHUNK_CHARS) continue
    if (!stream.write(chunk)) await once(stream, 'drain')
    chunk = ''
  }
  if (chunk !== '') stream.write(chunk)
}

const SPECIAL = /[\\\n\r\t]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One field in COPY's text format. */
function copyText(value: CopyValue): string {
  const text = valueText(value)
  if (text === null) return '\\N'
  return typeof value === 'string' || typeof value === 'object' ? escape(text) : text
}

function valueText(value: CopyValue): string | null {
  if (typeof value === 'string' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? arrayLiteral(value) : String(value)
}

function escape(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (char) => ESCAPES[char]!) : text
}

function arrayLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

function conflictAction(update: readonly string[], stamp: readonly string[]): string {
  if (update.length === 0) return 'do nothing'
  const columns = update.map(quote)
  const assignments = [...columns, ...stamp.map(quote)]
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')
  const stored = columns.map((column) => `stored.${column}`).join(', ')
  const offered = columns.map((column) => `excluded.${column}`).join(', ')
  return `do update set ${assignments} where (${stored}) is distinct from (${offered})`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
