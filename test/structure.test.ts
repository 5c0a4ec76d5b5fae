import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AREAS } from '../activities/all-areas.ts'
import * as workflows from '../workflows/index.ts'

// Rules that the linter cannot express.

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

test('the top level has at most 13 folders, and docs/architecture.md says what belongs into each', () => {
  const named = [...read('docs/architecture.md').matchAll(/^\| `([a-z]+)\/` /gm)].map(([, folder]) => folder)
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^(?:node_modules|coverage|dist)$/.test(entry.name))
    .map(({ name }) => name)
  expect(new Set(named)).toEqual(new Set(folders))
  expect(folders.length).toBeLessThanOrEqual(13)
})

test('only config files, the command line, tests and benches read process.env', () => {
  const allowed =
    /^(cli|test|sandbox)\/|config\.ts$|^activities\/worker\.ts$|^(api|gateway|web\/issuer)\/main\.ts$/
  const offenders = files.filter((file) => !allowed.test(file) && /process\.env\b/.test(read(file)))
  expect(offenders).toEqual([])
})

test('an area of activities imports only its own folder and shared files', () => {
  // Shared as well: nodes/, the clients and the pool of nodes, drift/, which looks at answers, and incidents/.
  const areaOf = (file: string) => /^activities\/(?!(?:nodes|drift|incidents)\/)([^/]+)\//.exec(file)?.[1]
  const registries = ['activities/index.ts', 'activities/areas.ts', 'activities/loops.ts']
  const offenders = files
    .filter((file) => file.startsWith('activities/') && !registries.includes(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => areaOf(target) !== undefined && areaOf(target) !== areaOf(file))
        .map((target) => `${file} uses ${target}`),
    )
  expect(offenders).toEqual([])
})

test('activities/ contains no SQL statements: they are in db/', () => {
  const statement = /\bsql[`<.]|\.(?:query|selectFrom|insertInto|updateTable|deleteFrom)\(|from 'kysely'/
  const offenders = files.filter((file) => file.startsWith('activities/') && statement.test(read(file)))
  expect(offenders).toEqual([])
})

test('file names are kebab case', () => {
  const name = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.ts$/
  expect(files.filter((file) => !name.test(file.split('/').at(-1)!))).toEqual([])
})

describe.each(AREAS.map((area) => [area.name, area] as const))('area %s', (_name, area) => {
  test('schedules only existing workflows', () => {
    for (const schedule of area.schedules) expect(workflows).toHaveProperty(schedule.workflow)
  })
  test('has an adapter for each source', () => {
    const adapters = files.filter((file) => file.startsWith(`activities/${area.name}/sources/`))
    for (const { name, adapter = name } of area.sources)
      expect(adapters).toContain(`activities/${area.name}/sources/${adapter}.ts`)
  })
  test('lists only existing activities in rereads', () => {
    const index = read(`activities/${area.name}/index.ts`)
    for (const name of area.rereads ?? []) expect(index).toMatch(new RegExp(`^ {4}(async )?${name}\\b`, 'm'))
  })
  test('lists only tables of the schema', () => {
    const schema = read('db/schema.sql')
    for (const table of area.tables) expect(schema).toMatch(new RegExp(`^table ${table}$`, 'm'))
  })
})

/** The table rows of docs/promises.md: a number and the test files that prove it. */
const promises = [...read('docs/promises.md').matchAll(/^\| ([ACERSY]\d+) +\|.*$/gm)].map(
  ([row, name]) => [name!, [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file!)] as const,
)
const isNamed = (name: string, text: string) =>
  new RegExp(`(\\(|\\[|^ +|\n)['\`](?:[ACERSY]\\d+, )*${name}[ ,]`, 'm').test(text)

test('docs/promises.md lists every promise once', () => {
  const numbers = { Y: 19, A: 10, C: 11, R: 4, S: 14, E: 4 }
  const wanted = Object.entries(numbers).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n) => `${kind}${n + 1}`),
  )
  expect(promises.map(([name]) => name).sort()).toEqual(wanted.sort())
})

test.each(promises)(
  'promise %s has a test that begins with its number in each file that docs/promises.md names',
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

const PEERS = 'test/bench/peers'
const peerLocks = readdirSync(join(ROOT, PEERS))
  .map((peer) => `${PEERS}/${peer}/package-lock.json`)
  .filter((file) => existsSync(join(ROOT, file)))

// npm ci refuses a lock file that lacks any package that it names, also those of other platforms.
test.each(['package-lock.json', ...peerLocks])('%s has an entry for each package that it names', (file) => {
  const { packages } = JSON.parse(read(file)) as { packages: Record<string, Dependencies> }
  const absent = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !isLocked(path, name)),
  )
  /** As Node finds it: beside the package, or beside one that contains it. */
  function isLocked(path: string, name: string): boolean {
    if (`${path}/node_modules/${name}`.replace(/^\//, '') in packages) return true
    return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
  }
  expect(absent, 'npm run lock completes it').toEqual([])
})

interface Dependencies {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
