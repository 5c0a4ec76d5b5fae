import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
afterAll(() => rmSync(folder, { recursive: true }))
cpSync(join(import.meta.dirname, '../../db'), folder, { recursive: true })
mkdirSync(join(folder, 'later/migrations'), { recursive: true })

const run = async (migrations: Record<string, string>, lines: string[] = []) => {
  for (const [name, text] of Object.entries(migrations))
    writeFileSync(join(folder, 'later/migrations', `${name}.sql`), text)
  const log = (line: string) => lines.push(line)
  await migrate({ databaseUrl: database.ownerUrl, passwords: {}, log, folder: pathToFileURL(`${folder}/`) })
  return lines
}

test('Y14 a migration that waits for a lock lets others read and runs afterwards', async () => {
  const reader = new pg.Client({ connectionString: database.ownerUrl })
  await reader.connect()
  await reader.query('begin; select from coins limit 1')
  const lines: string[] = []
  const migrated = run({ '99990101-0001-note': 'alter table coins add column note text' }, lines)
  const waits = `select from pg_locks where not granted and relation = 'coins'::regclass`
  while ((await query(database.ownerUrl, waits)).length === 0) await sleep(10)
  // The waiting migration blocks later readers.
  const startMs = performance.now()
  await query(database.apiUrl, 'select from coins')
  expect(performance.now() - startMs).toBeLessThan(1_000)
  while (lines.length === 0) await sleep(10)
  await reader.query('commit')
  await reader.end()
  await migrated
  expect(lines).toEqual([
    'migration 99990101-0001-note: waiting for locks held by others; retrying every second',
    'migration 99990101-0001-note: Success',
  ])
})

test('a failed migration leaves nothing behind, and earlier ones stay', async () => {
  const bad = run({
    '99990101-0002-good': 'create table good ()',
    '99990101-0003-bad': 'create table bad (); select 1 / 0',
  })
  await expect(bad).rejects.toThrow('division by zero')
  const tables = await query(
    database.ownerUrl,
    `select relname from pg_class where relname in ('good', 'bad')`,
  )
  expect(tables).toEqual([{ relname: 'good' }])
  rmSync(join(folder, 'later/migrations/99990101-0003-bad.sql'))
})

test('an index is built concurrently, also after an interrupted build', async () => {
  await query(database.ownerUrl, 'create index coins_note on coins (symbol)')
  const text = `-- Beside the writers; nobody waits for it.
    drop index concurrently if exists coins_note;
    create index concurrently coins_note on coins (note);`
  expect(await run({ '99990101-0004-index': text })).toEqual(['migration 99990101-0004-index: Success'])
  const [index] = await query(
    database.ownerUrl,
    `select indisvalid as valid, pg_get_indexdef(indexrelid) as made from pg_index where indexrelid = 'coins_note'::regclass`,
  )
  expect(index).toEqual({ valid: true, made: expect.stringContaining('(note)') })
})
