import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createSchemaCheck } from '../../db/check-schema.ts'
import { migrate } from '../../db/migrate.ts'
import { printSchema } from '../../db/print-schema.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// Functions, views and triggers whose files are edited in place.

const database = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'sluice-current-'))
const DB = join(import.meta.dirname, '../../db')
cpSync(DB, folder, { recursive: true })
const own = join(folder, 'own')
const pool = new pg.Pool({ connectionString: database.apiUrl, max: 1 })
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await pool.end()
})
beforeEach(() => rmSync(own, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  mkdirSync(join(own, file, '..'), { recursive: true })
  writeFileSync(join(own, file), text)
}
async function run(): Promise<string[]> {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  await migrate({ databaseUrl: database.ownerUrl, passwords: {}, log, folder: pathToFileURL(`${folder}/`) })
  return lines
}
/** Migrations of earlier tests, which the database already has. */
const DONE = ['99990101-0001-number', '99990101-0002-drop', '99990101-0003-drop']
const answer = async () => (await query(database.ownerUrl, 'select answer()'))[0]

test('a function is applied only when its text changes', async () => {
  const text = (n: number) =>
    `create or replace function answer() returns integer language sql as $$ select ${n} $$;`
  write('functions/answer.sql', text(1))
  expect(await run()).toEqual(['functions/answer: Success'])
  expect(await run()).toEqual([])
  write('functions/answer.sql', text(2))
  expect(await run()).toEqual(['functions/answer: Success'])
  expect(await answer()).toEqual({ answer: 2 })
})

test('dependencies may come later, and a migration drops a column only after the functions that used it have changed', async () => {
  write(
    'migrations/99990101-0001-number.sql',
    'create table numbers (n integer); insert into numbers values (3)',
  )
  write(
    'functions/answer.sql',
    'create or replace function answer() returns integer language sql as $$ select n from doubled $$;',
  )
  write('views/doubled.sql', 'create or replace view doubled as select 2 * n as n from numbers;')
  expect(await run()).toEqual([
    'migration 99990101-0001-number: Success',
    'functions/answer: Success',
    'views/doubled: Success',
  ])
  expect(await answer()).toEqual({ answer: 6 })
  const answers = (value: string) =>
    `create or replace function answer() returns integer language sql as $$ select ${value} $$;`
  write('migrations/99990101-0001-number.sql', '')
  write('migrations/99990101-0002-drop.sql', 'drop view doubled; alter table numbers drop column n')
  write('functions/answer.sql', `${answers('4')} select 1 / 0;`)
  await expect(run()).rejects.toThrow('division by zero')
  expect(await answer()).toEqual({ answer: 6 })
  rmSync(join(own, 'views/doubled.sql'))
  write('functions/answer.sql', answers('4'))
  expect(await run()).toEqual(['functions/answer: Success', 'migration 99990101-0002-drop: Success'])
  expect(await answer()).toEqual({ answer: 4 })
})

test('deleting a file requires a migration that drops its function', async () => {
  write('migrations/99990101-0001-number.sql', '')
  write('migrations/99990101-0002-drop.sql', '')
  await expect(run()).rejects.toThrow(
    'The database still has functions or views whose files were deleted: functions/answer. ' +
      'Add a migration that drops them with "if exists".',
  )
  write('migrations/99990101-0003-drop.sql', 'drop function if exists answer')
  expect(await run()).toEqual(['migration 99990101-0003-drop: Success'])
})

test('a process is ready once the functions of its release are applied, and stays ready after the next release', async () => {
  for (const name of DONE) write(`migrations/${name}.sql`, '')
  const check = createSchemaCheck(pool)
  await expect(check()).resolves.toBeUndefined()
  // Simulate a database without the functions of this release.
  const known = await query<{ key: string }>(
    database.ownerUrl,
    `update applied_sql set key = 'away ' || key where key like 'release/%' returning key`,
  )
  expect(known.length).toBeGreaterThan(2)
  await expect(check()).rejects.toThrow('functions and views of this release were not applied')
})

test('an empty and an existing database get the same schema', async () => {
  for (const name of DONE) write(`migrations/${name}.sql`, '')
  await query(database.ownerUrl, 'drop table numbers; drop table applied_sql')
  await run()
  expect(await printSchema(database.ownerUrl)).toBe(readFileSync(join(DB, 'schema.sql'), 'utf8'))
})
