import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sqlFiles } from '../../db/sql-files.ts'

// Squawk has the whole of these rules and runs with test:chaos alone. These run with every change.

/** The last migration before there were installations. */
const LAST_BEFORE_USE = '20261123-0317-create-console'

/** What reads or writes a whole table under a lock that stops its readers or writers, by Squawk's rule. */
const HAZARDS: Record<string, RegExp> = {
  'require-concurrent-index-creation':
    /^create (unique )?index (?!concurrently\b).*? on (?:only )?(?<table>\S+)/,
  'constraint-missing-not-valid':
    /^alter table (?<table>\S+)[^;]*? add constraint (?!.* not valid\b)(?!.* using index\b)/,
  'changing-column-type': /^alter table (?<table>\S+)[^;]*? alter (column )?\w+ (set data )?type /,
}

/** Hazards of a migration on tables that it does not create itself, without those that it says to ignore, and why. */
function hazardsIn(text: string): string[] {
  const ignored = /^-- squawk-ignore-file (.*)\n-- \S/.exec(text)?.[1]?.split(', ') ?? []
  const statements = text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase())
  const created = statements.flatMap((one) => /^create table (?:if not exists )?(\S+)/.exec(one)?.[1] ?? [])
  return Object.entries(HAZARDS).flatMap(([rule, pattern]) =>
    !ignored.includes(rule) &&
    statements.some((one) => {
      const table = pattern.exec(one)?.groups?.['table']
      return table !== undefined && !created.includes(table)
    })
      ? [rule]
      : [],
  )
}

test('no migration locks a table in use while it reads all of it', () => {
  const migrations = sqlFiles('migrations').filter(({ name }) => name > LAST_BEFORE_USE)
  expect(migrations.length).toBeGreaterThan(100)
  const found = migrations.flatMap(({ name, url }) =>
    hazardsIn(readFileSync(url, 'utf8')).map((rule) => `${name}: ${rule}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['create index a on coins (name)', ['require-concurrent-index-creation']],
  ['create unique index a\n  on coins (name)', ['require-concurrent-index-creation']],
  ['create index concurrently a on coins (name)', []],
  ['create table t (a int);\ncreate index b on t (a)', []],
  [
    'alter table coins\n  drop constraint c,\n  add constraint c check (a > 0)',
    ['constraint-missing-not-valid'],
  ],
  ['alter table coins add constraint c check (a > 0) not valid', []],
  ['alter table coins alter column rank type bigint', ['changing-column-type']],
  ['-- squawk-ignore-file changing-column-type\n-- Few rows.\nalter table coins alter rank type bigint', []],
  [
    '-- squawk-ignore-file changing-column-type\nalter table coins alter rank type bigint',
    ['changing-column-type'],
  ],
])('finds the hazards of %j', (text, hazards) => {
  expect(hazardsIn(text)).toEqual(hazards)
})
