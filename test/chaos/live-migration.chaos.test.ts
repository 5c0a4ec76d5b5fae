import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { DEADLINE_MS } from '../../api/open-pools.ts'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { sqlFiles } from '../../db/sql-files.ts'
import { installPythonTool } from '../oracles/install-python-tool.ts'
import { startApi } from '../setup/api.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { loadText, underLoad } from './under-load.ts'

// A release changes tables during reads and charges, and beside long-running readers.

const COINS = 50_000
const LONG_READ_MS = 4_000
const PAUSE_MS = 1_200
const DB = join(import.meta.dirname, '../../db')
const run = promisify(execFile)
const log = (line: string) => console.log(`chaos: ${line}`)
const folder = mkdtempSync(join(tmpdir(), 'sluice-migrations-'))
const server = await startTemporaryPostgres()
const databaseUrl = ownerUrl({ ...server, database: 'postgres' })
await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })
const roleUrl = (role: string) => `postgres://${role}:${role}@127.0.0.1:${server.port}/postgres`
const api = await startApi({
  database: { ownerUrl: databaseUrl, apiUrl: roleUrl('api'), meterUrl: roleUrl('meter') },
  routes,
  deadlineMs: DEADLINE_MS,
})
// Registered after the API's hooks, so it runs after the API has closed.
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The tables that a call reads, and the one that it charges. */
const TABLES = ['coins', 'coin_listings', 'credit_periods']
/** One file per table: a migration that locks two tables could deadlock with a reader. */
const forEach = (time: string, what: string, statement: (table: string) => string) =>
  Object.fromEntries(TABLES.map((table, n) => [`99990101-${time}${n}-${what}-${table}`, statement(table)]))
const MIGRATIONS: Record<string, string> = {
  ...forEach('000', 'expand', (table) => `alter table ${table} add column note text`),
  '99990101-0010-backfill': `update coins set note = symbol; update coin_listings set note = 'filled'`,
  '99990101-0020-index': `-- Beside the writers.
    drop index concurrently if exists coins_note;
    create index concurrently coins_note on coins (note);`,
  ...forEach('003', 'contract', (table) => `alter table ${table} drop column note`),
}

beforeAll(async () => {
  await query(
    databaseUrl,
    `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at)
     select 'coin-' || n, 'C' || n, 'Coin ' || n, 'coin-' || n, now(), 'test', now() from generate_series(1, ${COINS}) n`,
  )
  // The migrations of the project come first, as in a current database.
  cpSync(DB, folder, { recursive: true })
  // All functions, views and triggers get a different text, so they are applied again.
  for (const kind of ['functions', 'views', 'triggers'] as const)
    for (const { url } of sqlFiles(kind, pathToFileURL(`${folder}/`)))
      appendFileSync(url, '-- Of the next release.\n')
  const later = join(folder, 'later/migrations')
  mkdirSync(later, { recursive: true })
  for (const [name, text] of Object.entries(MIGRATIONS)) writeFileSync(join(later, `${name}.sql`), text)
})

/**
 * Reads as an export does: seconds in one transaction, then a pause. Returns the number of reads when
 * aborted.
 */
async function readLong(signal: AbortSignal): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let reads = 0
  for (; !signal.aborted; reads++) {
    await client.query('begin')
    for (const table of TABLES) await client.query(`select from ${table} limit 1`)
    await sleep(LONG_READ_MS)
    await client.query('commit')
    await sleep(PAUSE_MS)
  }
  await client.end()
  return reads
}

test('Y14 no read or charge fails during a migration under load: expand, fill, index, contract', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'enterprise' })
  // A kept answer would need no read.
  let pages = 0
  const ask = async (signal: AbortSignal) => {
    const startMs = performance.now()
    const response = await api.get(`/coins?limit=5&page=${++pages}`, key, { signal })
    return { status: response.status, body: await response.json(), ms: performance.now() - startMs }
  }
  const ended = new AbortController()
  const lines: string[] = []
  let reads: Promise<number>
  const load = await underLoad(ask, async () => {
    reads = readLong(ended.signal)
    await sleep(200)
    await migrate({
      databaseUrl,
      passwords: {},
      folder: pathToFileURL(`${folder}/`),
      log: (line) => lines.push(line),
    })
    ended.abort()
  })
  for (const line of lines) log(`Y14 ${line}`)
  log(`Y14 ${loadText(load)}, beside ${await reads!} long reads`)
  for (const name of Object.keys(MIGRATIONS)) expect(lines).toContain(`migration ${name}: Success`)
  for (const one of [' functions: ', 'views/', 'triggers/coins'])
    expect(lines.filter((line) => line.includes(one) && line.endsWith('Success'))).not.toEqual([])
  // The migration had to wait for locks, and clients did not wait for it.
  expect(lines.some((line) => line.includes('waiting for locks'))).toBe(true)
  expect({ refused: load.refused, broken: load.broken }).toEqual({ refused: [], broken: {} })
  expect(load.slowestMs.ok).toBeLessThan(2_000)
  const [books] = await query<{ entries: number }>(
    databaseUrl,
    'select count(*)::integer as entries from ledger_entries where account_id = $1',
    [accountId],
  )
  expect(books!.entries).toBe(load.ok)
})

/** The first migrations of the areas run in an empty database only. */
const LAST_BEFORE_USE = '20261123-0317-create-console'
/** Squawk's rules on long table locks and on dropping what the previous release still reads. */
const LOCK_RULES = [
  'adding-field-with-default',
  'adding-foreign-key-constraint',
  'adding-not-nullable-field',
  'adding-serial-primary-key-field',
  'ban-concurrent-index-creation-in-transaction',
  'changing-column-type',
  'constraint-missing-not-valid',
  'disallowed-unique-constraint',
  'renaming-column',
  'renaming-table',
  'require-concurrent-index-creation',
  'require-concurrent-index-deletion',
]

/** Squawk's findings in migrations, as `file: rule`. */
async function hazardsOf(files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return []
  const requirements = ['squawk-cli==2.70.0']
  const programs = await installPythonTool({ name: 'squawk-2.70.0', requirements })
  const hazards: string[] = []
  for (const file of files) {
    // Concurrent index builds run without a transaction, all other migrations in one.
    const inTransaction = /index concurrently/i.test(readFileSync(file, 'utf8'))
      ? []
      : ['--assume-in-transaction']
    const args = ['--reporter', 'json', '--pg-version', '18', ...inTransaction, file]
    const { stdout } = await run(join(programs, 'squawk'), args).catch((error: { stdout: string }) => error)
    const found = JSON.parse(stdout) as { rule_name: string }[]
    hazards.push(
      ...found
        .filter(({ rule_name }) => LOCK_RULES.includes(rule_name))
        .map(({ rule_name }) => `${basename(file)}: ${rule_name}`),
    )
  }
  return hazards
}

test('Y14 Squawk finds no migration that blocks an installation in use, and does find a bad example', async () => {
  const bad = join(folder, 'bad.sql')
  const text = 'create index coins_name on coins (name);\nalter table coins alter column rank type bigint;'
  writeFileSync(bad, text)
  expect((await hazardsOf([bad])).sort()).toEqual([
    'bad.sql: changing-column-type',
    'bad.sql: require-concurrent-index-creation',
  ])
  const own = sqlFiles('migrations')
    .filter(({ name }) => name > LAST_BEFORE_USE)
    .map(({ url }) => fileURLToPath(url))
  const expand = join(folder, 'later/migrations/99990101-0000-expand-coins.sql')
  const index = join(folder, 'later/migrations/99990101-0020-index.sql')
  log(`Y14 Squawk reads ${own.length} migrations of the project`)
  expect(await hazardsOf([expand, index, ...own])).toEqual([])
})
