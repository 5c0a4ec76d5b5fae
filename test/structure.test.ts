import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AREAS } from '../activities/areas.ts'
import * as workflows from '../workflows/index.ts'

// Rules that the linter cannot say.

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = [
  ...['account', 'activities', 'api', 'bench', 'cli', 'client', 'console', 'db', 'export', 'facilitator'],
  ...['gateway', 'issuer', 'mcp', 'pages', 'sandbox', 'telemetry', 'test', 'workflows'],
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
  const allowed =
    /^(cli|test|bench)\/|config\.ts$|^activities\/worker\.ts$|^(api|facilitator|gateway|issuer)\/main\.ts$|^sandbox\//
  const offenders = files.filter((file) => !allowed.test(file) && /process\.env\b/.test(read(file)))
  expect(offenders).toEqual([])
})

test('an area of activities uses its own folder and what all share', () => {
  const areaOf = (file: string) => /^activities\/([^/]+)\//.exec(file)?.[1]
  const registries = ['activities/index.ts', 'activities/areas.ts', 'activities/ask-source.ts']
  const offenders = files
    .filter((file) => file.startsWith('activities/') && !registries.includes(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => areaOf(target) !== undefined && areaOf(target) !== areaOf(file))
        .map((target) => `${file} uses ${target}`),
    )
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

// S10, payments that come twice, is the gateway's: test/gateway.
test.each([
  ...Array.from({ length: 12 }, (_, n) => `C${n + 1}`),
  ...Array.from({ length: 4 }, (_, n) => `R${n + 1}`),
  ...Array.from({ length: 11 }, (_, n) => `S${n + 1}`).filter((name) => name !== 'S10'),
])('promise %s has a test whose name begins with it', (promise) => {
  const named = new RegExp(`(\\(|\\[|^ +)'${promise}[ ,]`, 'm')
  const holders = files.filter((file) => file.endsWith('.test.ts') && named.test(read(file)))
  expect(holders).not.toEqual([])
})

test('names of areas, sources and schedules are unique', () => {
  const names = [
    AREAS.map((area) => area.name),
    AREAS.flatMap((area) => area.sources.map((source) => source.name)),
    AREAS.flatMap((area) => area.schedules.map((schedule) => schedule.id)),
  ]
  for (const list of names) expect(new Set(list).size).toBe(list.length)
})
