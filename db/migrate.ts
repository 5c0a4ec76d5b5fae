import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'

const FOLDER = new URL('./migrations/', import.meta.url)

/**
 * Login roles: `ingest` writes data tables, `api` reads them, `meter` executes the metering functions, `gateway` those
 * of payments, `account` those of the account page, `console` reads the views of the operators' console.
 */
export const ROLES = ['ingest', 'api', 'meter', 'gateway', 'account', 'console'] as const
export type Role = (typeof ROLES)[number]

/**
 * What the sessions of the roles start with, kept by the database: a pooler between us and it passes no settings on, and
 * may give each transaction another session.
 */
export const ROLE_SETTINGS = {
  ingest: {},
  // A read that takes longer is ended. Pages cost what they do in memory and on SSDs: at 4, that of turning disks, deep
  // pages are sorted instead of read along their index.
  api: { statement_timeout: '10s', random_page_cost: '1.1' },
  // Below DEADLINE_MS of the API, so that what a client is told has failed does not commit afterwards.
  meter: { statement_timeout: '700ms' },
  gateway: { statement_timeout: '5s' },
  account: { statement_timeout: '10s' },
  console: { statement_timeout: '10s' },
} as const satisfies Record<Role, Record<string, string>>

interface MigrateOptions {
  /** URL of a role that owns the database and may create roles. */
  databaseUrl: string
  /** Passwords set for the roles; a role that has none here is left as it is. */
  passwords: Partial<Record<Role, string>>
  log: (line: string) => void
}

/** Brings the database to the newest schema. Safe to run from several processes at once: an advisory lock orders them. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 2 })
  // The server may be stopped meanwhile: the statement fails, and that is enough.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await createRoles(db, options.passwords)
    const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
    const { error, results } = await migrator.migrateToLatest()
    for (const result of results ?? []) options.log(`migration ${result.migrationName}: ${result.status}`)
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

async function createRoles(db: Kysely<unknown>, passwords: MigrateOptions['passwords']): Promise<void> {
  for (const role of ROLES) {
    // Roles belong to the whole server: two databases may be migrated at once, and no lock spans both.
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

/** Leaves alone what is set already: that needs no right to alter the role. */
async function setUp(db: Kysely<unknown>, role: Role): Promise<void> {
  for (const [name, value] of Object.entries(ROLE_SETTINGS[role])) {
    const { rows } = await sql`
      select from pg_db_role_setting
      where setrole = ${role}::regrole and setdatabase = 0 and ${`${name}=${value}`} = any(setconfig)`.execute(
      db,
    )
    if (rows.length > 0) continue
    // "Tuple concurrently updated": somebody else sets the same.
    await sql`do $$ begin
      alter role ${sql.id(role)} set ${sql.id(name)} = ${sql.lit(value)};
    exception when internal_error then null;
    end $$`.execute(db)
  }
}

/** Name of the last migration: the version of the schema that this code goes with. */
export async function schemaVersion(): Promise<string> {
  return (await migrationFiles()).at(-1)!.slice(0, -4)
}

const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()

/** The .sql files of db/migrations by name; each runs in one transaction with the others of the same call. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {}
  for (const file of await migrationFiles()) {
    const text = await readFile(new URL(file, FOLDER), 'utf8')
    migrations[file.slice(0, -4)] = {
      up: async (db) => {
        await sql.raw(text).execute(db)
      },
    }
  }
  return migrations
}
