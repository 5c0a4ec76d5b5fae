import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { ROOT } from '../../cli/folders.ts'
import { runTool } from '../../cli/run-tool.ts'
import { AREAS } from '../../activities/all-areas.ts'
import { withPostgres } from './accepted-by-postgres.ts'
import { changed, type Mutant, mutantsOf } from './mutants.ts'

/**
 * npm run test:mutations -- [--seed N] [--count N] [--from N]: changes one line of an area at a time, in a clone
 * of the last commit; `--from` goes on with a later one. Runs the tests that import the file, unit tests first
 * and then those of the area; for SQL all tests with a database, for workflows all with Temporal. What they miss
 * meets the tests of commands and the compiler. Prints the changes that nothing detected, and exits with 1 if they
 * are more than one in twenty.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    from: { type: 'string', default: '1' },
  },
})
const LONGEST_MS = 20 * 60_000
const BRIEF = ['--bail', '1', '--passWithNoTests', '--reporter', 'dot']
/** Of tests with a database, quick ones first. */
const PROJECTS = ['db', 'workflow']
const FOLDERS = `{activities,api,db,workflows}/{${AREAS.map(({ name }) => name).join(',')}}/**/*.ts`
const SQL = 'db/*/{functions,views,triggers}/*.sql'
/** They compare db/schema.sql, which a change of SQL leaves as it was: they would notice any of them. */
const OF_SCHEMA = [
  'test/db/schema.db.test.ts',
  'test/db/current-sql.db.test.ts',
  'test/upgrade/upgrade.db.test.ts',
]

const folder = mkdtempSync(join(tmpdir(), 'sluice-mutations-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await runTool('git', ['clone', '--quiet', '--shared', ROOT, folder])
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

const missed: Mutant[] = []
const chosen = await choose(Number(values.seed), Number(values.count))
for (const [i, mutant] of chosen.entries()) {
  if (i + 1 < Number(values.from)) continue
  const path = join(folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, changed(text, mutant))
  const startMs = performance.now()
  const detected = await detectedBy(mutant)
  writeFileSync(path, text)
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  const result = detected ? `detected by ${detected}` : 'MISSED'
  console.log(`${i + 1}/${chosen.length} ${result} in ${seconds} s: ${shown(mutant)}`)
  if (!detected) missed.push(mutant)
}
const tried = chosen.length - Number(values.from) + 1
console.log(`\nseed ${values.seed}: ${tried - missed.length} of ${tried} changes were detected`)
for (const mutant of missed) console.log(`missed: ${shown(mutant)}`)
process.exitCode = missed.length * 20 > tried ? 1 : 0

/** Draws random mutants from different files, without those that Postgres refuses. */
async function choose(seed: number, count: number): Promise<Mutant[]> {
  const files = globSync([FOLDERS, SQL], { cwd: folder }).sort()
  const possible = await withPostgres(async (accepts) => {
    const found: Mutant[][] = []
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8')
      const mutants: Mutant[] = []
      for (const mutant of mutantsOf(file, text))
        if (!file.endsWith('.sql') || (await accepts(changed(text, mutant)))) mutants.push(mutant)
      if (mutants.length > 0) found.push(mutants)
    }
    return found
  })
  const one = fc
    .shuffledSubarray(possible, { minLength: count, maxLength: count })
    .chain((picked) => fc.tuple(...picked.map((mutants) => fc.constantFrom(...mutants))))
  return fc.sample(one, { seed, numRuns: 1 })[0]!
}

/**
 * What noticed a change: which tests, or the compiler; null: nothing did. On a busy machine tests may also fail
 * because they are late.
 */
async function detectedBy({ file }: Mutant): Promise<string | null> {
  const area = file.split(sep)[1]!
  const isSql = file.endsWith('.sql')
  const without = OF_SCHEMA.flatMap((test) => ['--exclude', test])
  const tests = [...(isSql ? ['run', ...without] : ['related', file, '--run']), ...BRIEF]
  // All at once: they are quick, and their project takes no further exclusions.
  if (!isSql && (await fails('vitest', [...tests, '--project', 'unit']))) return 'unit tests'
  // Tests run workflows from a bundle, so Vitest does not know which.
  const ofWorkflows = file.startsWith('workflows') ? ['run', ...BRIEF] : tests
  for (const [name, excluded] of [
    [`tests of ${area}`, `test/!(${area})/**`],
    ['other tests', `test/${area}/**`],
  ] as const)
    for (const project of PROJECTS) {
      const asked = project === 'workflow' ? ofWorkflows : tests
      if (await fails('vitest', [...asked, '--exclude', excluded, '--project', project]))
        return `${name} (${project})`
    }
  // Commands are loaded by name or run as processes, so Vitest does not know what they import.
  const ofCommands = ['run', ...BRIEF, '--exclude', `test/!(${area}|cli)/**`, '--project', 'db']
  if (!isSql && (await fails('vitest', ofCommands))) return 'tests of commands'
  // Last, because it reads all files each time.
  if (!isSql && (await fails('tsc', ['--noEmit']))) return 'the compiler'
  return null
}

function fails(program: string, args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(join('node_modules', '.bin', program), args, {
      cwd: folder,
      stdio: 'ignore',
      timeout: LONGEST_MS,
      env: { ...process.env, TEMPORAL_ADDRESS: '' },
    })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code !== 0))
  })
}

function shown({ file, line, before, after }: Mutant): string {
  return `${file}:${line}\n    - ${before.trim()}\n    + ${after.trim()}`
}
