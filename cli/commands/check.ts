import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultLogger } from '@temporalio/worker'
import { workflowBundle } from '../../activities/workflow-bundle.ts'
import { printDictionary } from '../../export/dictionary.ts'
import { cacheFolder, ROOT } from '../folders.ts'
import { GENERATED_FILES, type GeneratedFile } from '../generated-files.ts'
import { migratedSchema } from '../postgres/migrated-schema.ts'
import { runTool } from '../run-tool.ts'

interface Step {
  name: string
  /** Resolves to a description of the problem, or to an empty text. */
  run: () => Promise<string>
}

const STEPS: readonly Step[] = [
  { name: 'format (oxfmt)', run: tool('oxfmt', ['--list-different']) },
  // The linter knows the types anyway, so it also reports what tsc would.
  { name: 'lint and types (oxlint)', run: tool('oxlint', ['--type-check', '--deny-warnings']) },
  { name: 'unused code and packages (knip)', run: tool('knip', ['--no-progress']) },
  {
    name: 'packages needed at run time, and no others (knip --production)',
    run: tool('knip', ['--production', '--strict', '--dependencies', '--no-progress']),
  },
  { name: 'workflow bundle', run: bundleWorkflows },
  { name: 'db/schema.sql matches the SQL of the areas', run: schemaDrift },
  ...GENERATED_FILES.map((generated) => ({
    name: `${generated.file} is up to date`,
    run: () => drift(generated),
  })),
  { name: 'docs/data-dictionary.md matches export/', run: dictionaryDrift },
]

/** Runs all checks in parallel, also after one has failed, and prints the duration of each. */
export async function run(): Promise<number> {
  const passed = await Promise.all(STEPS.map(passes))
  const failed = passed.filter((is) => !is).length
  console.log(failed === 0 ? 'all checks passed' : `${failed} of ${STEPS.length} checks failed`)
  return failed === 0 ? 0 : 1
}

async function passes({ name, run }: Step): Promise<boolean> {
  const startMs = Date.now()
  const problem = await run().catch((error: Error) => error.message)
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1).padStart(5)
  console.log(`${problem === '' ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`)
  if (problem !== '') console.log(problem.trimEnd())
  return problem === ''
}

function tool(command: string, args: readonly string[]): Step['run'] {
  return async () => {
    const { code, output } = await runTool(command, args, { quiet: true })
    return code === 0 ? '' : output || `${command} exited with code ${code}`
  }
}

/** Fails and names the modules when a workflow imports something that does I/O. */
async function bundleWorkflows(): Promise<string> {
  await workflowBundle(join(cacheFolder(), 'workflows'), new DefaultLogger('ERROR'))
  return ''
}

async function schemaDrift(): Promise<string> {
  const file = join(ROOT, 'db', 'schema.sql')
  const committed = existsSync(file) ? await readFile(file, 'utf8') : ''
  if (committed === (await migratedSchema())) return ''
  return 'db/schema.sql is out of date: run "npm run sluice schema" and commit the result'
}

async function drift({ file, print }: GeneratedFile): Promise<string> {
  const committed = await readFile(join(ROOT, file), 'utf8')
  if (committed === (await print())) return ''
  return `${file} is out of date: run "npm run sluice openapi" and commit the result`
}

async function dictionaryDrift(): Promise<string> {
  const file = join(ROOT, 'docs', 'data-dictionary.md')
  const committed = existsSync(file) ? await readFile(file, 'utf8') : ''
  if (committed === printDictionary()) return ''
  return 'docs/data-dictionary.md is out of date: run "npm run sluice export dictionary" and commit the result'
}
