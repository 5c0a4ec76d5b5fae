import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { SQL, sqlFiles } from './sql-files.ts'

/** A function, a view, the triggers of a table, or the rows of tables that state facts of the code. */
export interface CurrentSql {
  /** Kind and name, such as `functions/charge_batch`. It omits the area, so that a file may move. */
  key: string
  text: string
  hash: string
}

/** Reads all files in the order of creation: functions, views that use them, triggers, rows. */
export async function readCurrentSql(folder = SQL): Promise<CurrentSql[]> {
  const files = (['functions', 'views', 'triggers', 'rows'] as const).flatMap((kind) =>
    sqlFiles(kind, folder).map(({ name, url }) => ({ key: `${kind}/${name}`, url })),
  )
  return Promise.all(
    files.map(async ({ key, url }) => {
      const text = await readFile(url, 'utf8')
      return { key, text, hash: digest(text) }
    }),
  )
}

/** The files whose text differs from what the database was last given. */
export async function changedSql(db: Kysely<unknown>, current: readonly CurrentSql[]): Promise<CurrentSql[]> {
  const known = await appliedHashes(db)
  return current.filter(({ key, hash }) => known.get(key) !== hash)
}

/**
 * Applies the changed files in one message. Call it in a transaction. The order of functions does not matter,
 * because their bodies are not checked on creation.
 */
export async function applySql(db: Kysely<unknown>, current: readonly CurrentSql[]): Promise<void> {
  const changed = await changedSql(db, current)
  if (changed.length === 0) return
  const rows = changed.map(({ key, hash }) => `('${key}', '${hash}')`)
  const text = [
    'set local check_function_bodies = off;',
    ...changed.map((file) => file.text),
    'create table if not exists applied_sql (key text primary key, hash text not null);',
    'grant select on applied_sql to api, ingest;',
    `insert into applied_sql (key, hash) values ${rows.join(', ')}`,
    'on conflict (key) do update set hash = excluded.hash;',
  ].join('\n')
  await sql.raw(text).execute(db)
}

/**
 * Records that the database has this release, for check-schema.ts. Call it in a transaction. Throws if a file
 * was deleted but its function or view still exists, because only old databases would have it.
 */
export async function noteRelease(db: Kysely<unknown>, current: readonly CurrentSql[]): Promise<void> {
  const keys = new Set(current.map(({ key }) => key))
  const known = [...(await appliedHashes(db)).keys()]
  const gone = known.filter((key) => !key.startsWith(RELEASE) && !keys.has(key))
  const left = await sql<{ key: string }>`
    select key from unnest(${gone}::text[]) as key
    where exists (select from pg_proc p
        where key in ('functions/' || p.proname, 'functions/' || p.pronamespace::regnamespace || '.' || p.proname))
      or exists (select from pg_class c where c.relkind = 'v'
        and key in ('views/' || c.relname, 'views/' || c.relnamespace::regnamespace || '.' || c.relname))
    order by key`.execute(db)
  if (left.rows.length > 0)
    throw new Error(
      `The database still has functions or views whose files were deleted: ${left.rows.map(({ key }) => key).join(', ')}. ` +
        'Add a migration that drops them with "if exists".',
    )
  if (gone.length > 0) await sql`delete from applied_sql where key = any(${gone})`.execute(db)
  const release = releaseKey(current)
  if (!known.includes(release)) await sql`insert into applied_sql values (${release}, '')`.execute(db)
}

const RELEASE = 'release/'

/** Rows of earlier releases stay in the table, so that their running processes still pass the check. */
export const releaseKey = (current: readonly CurrentSql[]): string =>
  RELEASE + digest(current.map(({ key, hash }) => `${key} ${hash}`).join('\n'))

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

async function appliedHashes(db: Kysely<unknown>): Promise<Map<string, string>> {
  const table = await sql<{ found: boolean }>`select to_regclass('applied_sql') is not null as found`.execute(
    db,
  )
  if (!table.rows[0]!.found) return new Map()
  const { rows } = await sql<{ key: string; hash: string }>`select key, hash from applied_sql`.execute(db)
  return new Map(rows.map(({ key, hash }) => [key, hash]))
}
