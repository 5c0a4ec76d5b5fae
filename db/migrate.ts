import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseIntrospector, Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, type MigrationInfo, Migrator } from 'kysely/migration'
import pg from 'pg'
import { applySql, changedSql, type CurrentSql, noteRelease, readCurrentSql } from './current-sql.ts'
import { migrationNames } from './migration-names.ts'
import { refuseNewerSchema } from './refuse-newer-schema.ts'
import { SQL, sqlFiles } from './sql-files.ts'
import { DEADLOCK, LOCK_NOT_AVAILABLE, sqlStateOf } from './transact.ts'
import { isOfBefore, takeOver } from './take-over.ts'

/**
 * A migration that waits for a table lock blocks everyone who asks later. So it gives up after this time,
 * which is shorter than the time limit of a charge, and retries.
 */
const LOCK_TIMEOUT_MS = 500
const CONNECT_MS = 10_000
const LOCK_PAUSE_MS = 1_000
const LOCK_TRIES = 200

/**
 * Login roles: `ingest` writes data tables, `api` reads them, `meter` executes the metering functions, `gateway` those
 * of payments, `account` those of the account page, `console` reads the views of the operators' console, `issuer` executes the functions
 * of the embedded OpenID provider.
 */
export const ROLES = ['ingest', 'api', 'meter', 'gateway', 'account', 'console', 'issuer'] as const
export type Role = (typeof ROLES)[number]

/**
 * Session settings of the roles, stored in the database, because a pooler passes no settings on and may give
 * each transaction another session.
 */
export const ROLE_SETTINGS = {
  // Without geqo, Postgres plans joins of twelve tables and more in a tenth of the time (5.6 and 0.5 ms), with
  // plans that are at least as good: join_collapse_limit bounds the orders that it tries.
  ingest: { geqo: 'off' },
  // Longer reads are cancelled. random_page_cost suits memory and SSDs: at 4, the value for spinning disks,
  // deep pages are sorted instead of read along their index.
  api: { statement_timeout: '10s', random_page_cost: '1.1', geqo: 'off' },
  // Below DEADLINE_MS of the API, so that a charge reported as failed does not commit afterwards.
  meter: { statement_timeout: '700ms' },
  gateway: { statement_timeout: '5s' },
  account: { statement_timeout: '10s' },
  console: { statement_timeout: '10s' },
  issuer: { statement_timeout: '10s' },
} as const satisfies Record<Role, Record<string, string>>

interface MigrateOptions {
  /** URL of a role that owns the database and may create roles. */
  databaseUrl: string
  /** Passwords to set. Roles without one here are unchanged. */
  passwords: Partial<Record<Role, string>>
  log: (line: string) => void
  /** Folder of the areas with their .sql files, with a trailing slash. Default: db/ of this project */
  folder?: URL
}

/**
 * Applies the pending migrations one by one, then the changed functions, views, triggers and rows. The database may
 * be in use: no lock is waited for longer than reads and charges tolerate. Several processes may run this at
 * once: an advisory lock puts them in order.
 */
export async function migrate({ databaseUrl, passwords, log, folder = SQL }: MigrateOptions): Promise<void> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
    connectionTimeoutMillis: CONNECT_MS,
  })
  // If the server stops meanwhile, the statement fails; the event needs no handling.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const dialect = Object.assign(new PostgresDialect({ pool }), { createIntrospector: migrationTables })
  const db = new Kysely<unknown>({ dialect })
  try {
    const names = migrationNames(folder)
    await refuseNewerSchema(pool, names)
    await isOfBefore(pool)
    await createRoles(db, passwords)
    const current = await readCurrentSql(folder)
    await alone(db, async () => {
      if (await isOfBefore(pool)) await takeOver(db, names)
      const work = { db, folder, current, log }
      await applyMigrations(work)
      await applyChanged(work, functionsOf(current))
      // One per transaction, because each locks a view, or a table against its writers.
      for (const one of await changedSql(db, current)) await applyChanged(work, [one])
      await db.transaction().execute((one) => noteRelease(one, current))
    })
  } finally {
    await db.destroy()
  }
}

/**
 * Kysely asks several times a migration whether its own tables exist, and would read the columns of all tables
 * for it: a tenth of a second each time.
 */
function migrationTables(db: Kysely<unknown>): DatabaseIntrospector {
  const getTables = async () => {
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_tables
      where schemaname = current_schema() and tablename like 'kysely_migration%'`.execute(db)
    return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }))
  }
  return { getTables, getSchemas: async () => [] }
}

interface Work {
  db: Kysely<unknown>
  folder: URL
  current: readonly CurrentSql[]
  log: MigrateOptions['log']
}

/** In an empty database, the transaction of the last migration also applies `current`. */
async function applyMigrations(work: Work): Promise<void> {
  const { db, folder, current, log } = work
  let isEmpty = false
  const finish = async (one: Kysely<unknown>): Promise<void> => {
    if (isEmpty) await applySql(one, current)
  }
  const migrations = await readMigrations(folder, finish)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  isEmpty = (await migrator.getMigrations()).every(({ executedAt }) => !executedAt)
  for (;;) {
    const known = await migrator.getMigrations()
    const step = nextStep(known, migrations)
    const last = step.at(-1)
    if (last === undefined) return
    // The old functions use what the remaining migrations drop; the new ones do not.
    const pending = known.filter(({ executedAt }) => !executedAt)
    if (!isEmpty && pending.every(({ name }) => takesAway(migrations[name]!)))
      await applyChanged(work, functionsOf(current))
    await patiently({ name: `migration ${last}`, log }, async () => {
      const disableTransactions = isConcurrent(migrations[last]!)
      const { error } = await migrator.migrateTo(last, { disableTransactions })
      if (error) throw error
    })
    for (const name of step) log(`migration ${name}: Success`)
  }
}

/**
 * Names of the next migrations to run in one transaction: one, or in an empty database all that can share it.
 */
function nextStep(known: readonly MigrationInfo[], migrations: Record<string, SqlMigration>): string[] {
  const pending = known.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
  const firstConcurrent = pending.findIndex((name) => isConcurrent(migrations[name]!))
  const isEmpty = pending.length === known.length
  if (!isEmpty || firstConcurrent === 0) return pending.slice(0, 1)
  return firstConcurrent === -1 ? pending : pending.slice(0, firstConcurrent)
}

const functionsOf = (current: readonly CurrentSql[]): CurrentSql[] =>
  current.filter(({ key }) => key.startsWith('functions/'))

/** Applies them in one transaction, because functions call each other. Functions lock no table. */
async function applyChanged({ db, log }: Work, some: readonly CurrentSql[]): Promise<void> {
  const changed = await changedSql(db, some)
  if (changed.length === 0) return
  const name = changed.length === 1 ? changed[0]!.key : `${changed.length} functions`
  await patiently({ name, log }, () => db.transaction().execute((one) => applySql(one, changed)))
  log(`${name}: Success`)
}

/**
 * Runs `work` under a session lock. The lock is polled, because a waiting statement would block CREATE INDEX
 * CONCURRENTLY.
 */
async function alone(db: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (session) => {
    const key = sql`hashtext('sluice migrate')`
    const isMine = async () =>
      (await sql<{ mine: boolean }>`select pg_try_advisory_lock(${key}) as mine`.execute(session)).rows[0]!
        .mine
    while (!(await isMine())) await sleep(50)
    try {
      await work()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(session)
    }
  })
}

/** Retries work that did not get its locks (timeout or deadlock), and logs it once. */
async function patiently(
  { name, log }: { name: string; log: (line: string) => void },
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const state = sqlStateOf(error)
      if ((state !== LOCK_NOT_AVAILABLE && state !== DEADLOCK) || attempt === LOCK_TRIES) throw error
      if (attempt === 1) log(`${name}: waiting for locks held by others; retrying every second`)
      await sleep(LOCK_PAUSE_MS)
    }
}

async function createRoles(db: Kysely<unknown>, passwords: MigrateOptions['passwords']): Promise<void> {
  for (const role of ROLES) {
    // Roles belong to the whole server. Two databases may be migrated at once, and no lock spans both.
    await sql`do $$ begin
      create role ${sql.id(role)} login;
    exception when duplicate_object or unique_violation then null;
    end $$`.execute(db)
    const password = passwords[role]
    if (password !== undefined)
      await sql`alter role ${sql.id(role)} password ${sql.lit(password)}`.execute(db)
    await setUp(db, role)
  }
}

/** Changes only settings that differ, because reading needs no right to alter the role. */
async function setUp(db: Kysely<unknown>, role: Role): Promise<void> {
  for (const [name, value] of Object.entries(ROLE_SETTINGS[role])) {
    const { rows } = await sql`
      select from pg_db_role_setting
      where setrole = ${role}::regrole and setdatabase = 0 and ${`${name}=${value}`} = any(setconfig)`.execute(
      db,
    )
    if (rows.length > 0) continue
    // "Tuple concurrently updated": another process sets the same value.
    await sql`do $$ begin
      alter role ${sql.id(role)} set ${sql.id(name)} = ${sql.lit(value)};
    exception when internal_error then null;
    end $$`.execute(db)
  }
}

interface SqlMigration extends Migration {
  text: string
}

/** The migrations of a folder by name; `finish` runs in the transaction of the last one. */
async function readMigrations(
  folder: URL,
  finish: (db: Kysely<unknown>) => Promise<void>,
): Promise<Record<string, SqlMigration>> {
  const files = sqlFiles('migrations', folder)
  const migrations: Record<string, SqlMigration> = {}
  for (const { name, url } of files) {
    const text = await readFile(url, 'utf8')
    const up = async (db: Kysely<unknown>): Promise<void> => {
      if (isConcurrent({ text })) return buildConcurrently(db, text)
      await sql.raw(text).execute(db)
      if (name === files.at(-1)!.name) await finish(db)
    }
    migrations[name] = { text, up }
  }
  return migrations
}

/** A file that builds indexes concurrently. Such a statement cannot run in a transaction. */
const isConcurrent = ({ text }: Pick<SqlMigration, 'text'>): boolean => /\bindex concurrently\b/i.test(text)

/** A file that drops something that the old functions may use. */
const takesAway = ({ text }: Pick<SqlMigration, 'text'>): boolean => /\bdrop (column|table)\b/i.test(text)

/**
 * Runs the statements one by one without lock timeout: a concurrent index build waits for old transactions
 * but blocks nobody. An interrupted build leaves an invalid index, so each file first drops what it creates.
 */
async function buildConcurrently(db: Kysely<unknown>, text: string): Promise<void> {
  await sql`set lock_timeout = 0`.execute(db)
  try {
    const statements = text.replace(/--.*$/gm, '').split(';')
    for (const statement of statements.filter((one) => one.trim() !== ''))
      await sql.raw(statement).execute(db)
  } finally {
    await sql`reset lock_timeout`.execute(db)
  }
}
