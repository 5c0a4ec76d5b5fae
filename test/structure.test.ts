import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AREAS } from '../activities/all-areas.ts'
import * as workflows from '../workflows/index.ts'

// Rules that the linter cannot say.

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = [
  'activities',
  'api',
  'cli',
  'clients',
  'db',
  'export',
  'gateway',
  'ops',
  'sandbox',
  'test',
  'web',
  'workflows',
]
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
)
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

function importsOf(file: string): string[] {
  const specifiers = [...read(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    (match) => match[1]!,
  )
  return specifiers.map((specifier) => relative(ROOT, join(ROOT, file, '..', specifier)))
}

test('process.env is read in the config files, the command line, tests and benches only', () => {
  const allowed = /^(cli|test|sandbox)\/|config\.ts$|^activities\/worker\.ts$|^(api|gateway)\/main\.ts$/
  const offenders = files.filter((file) => !allowed.test(file) && /process\.env\b/.test(read(file)))
  expect(offenders).toEqual([])
})

test('an area of activities uses its own folder and what all share', () => {
  const areaOf = (file: string) => /^activities\/([^/]+)\//.exec(file)?.[1]
  const registries = ['activities/index.ts', 'activities/areas.ts']
  const offenders = files
    .filter((file) => file.startsWith('activities/') && !registries.includes(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => areaOf(target) !== undefined && areaOf(target) !== areaOf(file))
        .map((target) => `${file} uses ${target}`),
    )
  expect(offenders).toEqual([])
})

test('statements to the database are in db/, not in activities/', () => {
  const statement = /\bsql[`<.]|\.(?:query|selectFrom|insertInto|updateTable|deleteFrom)\(|from 'kysely'/
  const offenders = files.filter((file) => file.startsWith('activities/') && statement.test(read(file)))
  expect(offenders).toEqual([])
})

test('file names are kebab case', () => {
  const name = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.ts$/
  expect(files.filter((file) => !name.test(file.split('/').at(-1)!))).toEqual([])
})

describe.each(AREAS.map((area) => [area.name, area] as const))('area %s', (_name, area) => {
  test('starts workflows that exist', () => {
    for (const schedule of area.schedules) expect(workflows).toHaveProperty(schedule.workflow)
  })
  test('has an adapter for each source, of that name or the one it shares', () => {
    const adapters = files.filter((file) => file.startsWith(`activities/${area.name}/sources/`))
    for (const { name, adapter = name } of area.sources)
      expect(adapters).toContain(`activities/${area.name}/sources/${adapter}.ts`)
  })
  test('reads again by activities that exist', () => {
    const index = read(`activities/${area.name}/index.ts`)
    for (const name of area.rereads ?? []) expect(index).toMatch(new RegExp(`^ {4}(async )?${name}\\b`, 'm'))
  })
  test('names tables that the schema has', () => {
    const schema = read('db/schema.sql')
    for (const table of area.tables) expect(schema).toMatch(new RegExp(`^table ${table}$`, 'm'))
  })
})

/** The table rows of docs/promises.md: a number, and the files that prove it. */
const promises = [...read('docs/promises.md').matchAll(/^\| ([ACRSY]\d+) +\|.*$/gm)].map(
  ([row, name]) => [name!, [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file!)] as const,
)
const isNamed = (name: string, text: string) =>
  new RegExp(`(\\(|\\[|^ +|\n)['\`](?:[ACRSY]\\d+, )*${name}[ ,]`, 'm').test(text)

test('docs/promises.md has every promise once', () => {
  const numbers = { Y: 18, A: 10, C: 11, R: 4, S: 14 }
  const wanted = Object.entries(numbers).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n) => `${kind}${n + 1}`),
  )
  expect(promises.map(([name]) => name).sort()).toEqual(wanted.sort())
})

test.each(promises)(
  'promise %s has tests, in the files that docs/promises.md names, whose names begin with it',
  (name, proofs) => {
    expect(proofs).not.toEqual([])
    for (const file of proofs)
      expect({ file, isNamed: isNamed(name, read(file)) }).toEqual({ file, isNamed: true })
  },
)

test('names of areas, sources and schedules are unique', () => {
  const names = [
    AREAS.map((area) => area.name),
    AREAS.flatMap((area) => area.sources.map((source) => source.name)),
    AREAS.flatMap((area) => area.schedules.map((schedule) => schedule.id)),
  ]
  for (const list of names) expect(new Set(list).size).toBe(list.length)
})
