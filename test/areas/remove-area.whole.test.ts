import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { areaSize, removeArea } from './remove-area.ts'

const ROOT = join(import.meta.dirname, '../..')
const NOT_COPIED = new Set(['node_modules', '.git', '.sluice', '.scratch', 'coverage'])
const FOLDERS = ['activities', 'api', 'cli', 'db', 'export', 'sandbox', 'workflows']
const copy = mkdtempSync(join(tmpdir(), 'sluice-without-'))
// An area without a source has no line in sandbox/areas.ts.
const smallest = AREAS.filter(({ sources }) => sources.length > 0).toSorted(
  (a, b) => areaSize(ROOT, a) - areaSize(ROOT, b),
)[0]!

/** Runs a program in the copy. Returns its output if it failed, else an empty string. */
function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', VITEST: '', NODE_OPTIONS: '' }
  return new Promise((resolve) => {
    execFile(program, args, { cwd: copy, env, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
      resolve(error ? `${stdout}${stderr}`.trim() || error.message : ''),
    )
  })
}
const tool = (name: string, args: readonly string[]) => run(join(ROOT, 'node_modules/.bin', name), args)

beforeAll(async () => {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const changed = removeArea(copy, smallest)
  const registries = ['activities', 'api', 'export', 'sandbox'].map((folder) => `${folder}/areas.ts`)
  expect(changed).toEqual(
    expect.arrayContaining([...registries, 'activities/index.ts', 'workflows/index.ts', 'README.md']),
  )
  expect(await tool('oxfmt', changed)).toBe('')
  for (const command of [['schema'], ['openapi'], ['export', 'dictionary']])
    expect(await run(process.execPath, ['cli/main.ts', ...command])).toBe('')
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/**
 * The checks of `npm run check` that a removal can break. Left out: format, and lint rules that need types.
 */
const CHECKS: Record<string, () => Promise<string>> = {
  // One checker, because parallel checkers share no types: each would process those of the libraries again.
  types: () => tool('tsc', ['--noEmit', '--checkers', '1']),
  'lint and import rules': () => {
    const config = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as { options: object }
    config.options = { ...config.options, typeAware: false }
    writeFileSync(join(copy, '.oxlintrc.json'), JSON.stringify(config))
    return tool('oxlint', ['--deny-warnings', ...FOLDERS])
  },
  'unused code': () => tool('knip', ['--no-progress']),
  'only its tables leave the schema': () => {
    const isGone = (section: string) =>
      smallest.tables.some((table) => section.startsWith(`table ${table}\n`))
    const sections = readFileSync(join(ROOT, 'db/schema.sql'), 'utf8').split('\n\n')
    const left = sections.filter((section) => !isGone(section)).join('\n\n')
    return Promise.resolve(
      readFileSync(join(copy, 'db/schema.sql'), 'utf8') === left ? '' : 'db/schema.sql differs',
    )
  },
  'tests of structure, OpenAPI and export': () =>
    tool('vitest', [
      'run',
      '--project',
      'unit',
      '--testTimeout',
      '60000',
      'test/structure.test.ts',
      'test/api/openapi.test.ts',
      'test/export/export.test.ts',
    ]),
}

test('the folders of the smallest area and all references to it are gone', () => {
  expect(existsSync(join(copy, 'activities', smallest.name))).toBe(false)
  expect(readFileSync(join(copy, 'activities/areas.ts'), 'utf8')).not.toContain(`./${smallest.name}/`)
  expect(readFileSync(join(copy, 'docs/openapi.json'), 'utf8')).not.toContain(`/${smallest.name}/`)
})

test.concurrent.each(Object.keys(CHECKS))(
  `without its smallest area (${smallest.name}) the project passes: %s`,
  async (name) => expect(await CHECKS[name]!()).toBe(''),
)
