import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CATALOG } from '../../export/catalog.ts'
import { printDictionary } from '../../export/dictionary.ts'
import { openTarget } from '../../export/open-target.ts'
import { runExport } from '../../export/run-export.ts'
import type { Target } from '../../export/target.ts'
import { type Verification, verifyExport } from '../../export/verify.ts'
import { CommandError } from '../command.ts'
import { homeFolder, ROOT } from '../folders.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const USAGE = `sluice export [--to TARGET]       writes what changed since the last export, as Parquet, and the catalog
sluice export verify [TARGET]     adds up its columns anew and compares with the database and the API
sluice export dictionary          writes docs/data-dictionary.md
TARGET: a folder, or s3://BUCKET/PREFIX; else EXPORT_TO, else \`export\` in the home of the installation`

/** Exports to analysts. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { to: { type: 'string' } },
  })
  const [command, where] = positionals
  if (command === 'verify' && positionals.length <= 2) return verify(targetOf(where ?? values.to))
  if (command === 'dictionary' && positionals.length === 1) {
    await writeFile(join(ROOT, 'docs', 'data-dictionary.md'), printDictionary())
    return 0
  }
  if (command !== undefined) throw new CommandError(USAGE)
  return write(targetOf(values.to))
}

function targetOf(asked: string | undefined): Target {
  const where = asked ?? (process.env['EXPORT_TO'] || join(homeFolder(), 'export'))
  if (/^(?!s3:)[a-z0-9]+:\/\//.test(where))
    throw new CommandError(`exports go to a folder or to s3://, not to ${where}`)
  try {
    return openTarget(where.replace(/^~(?=\/)/, homedir()), process.env)
  } catch (error) {
    throw new CommandError((error as Error).message)
  }
}

async function write(target: Target): Promise<number> {
  const startMs = Date.now()
  const { datasets, exportedAt } = await withOperatorDatabase((_, pool) =>
    runExport({ pool, target, now: () => new Date() }),
  )
  console.table(Object.fromEntries(datasets.map(({ name, ...figures }) => [name, figures])))
  for (const { name, unfit } of datasets)
    if (unfit > 0)
      console.log(
        `${name}: ${unfit} rows have a number of more digits than its column holds: see its column unfit`,
      )
  console.log(`as of ${exportedAt}, in ${((Date.now() - startMs) / 1000).toFixed(1)} s: ${target.root}`)
  console.log(`open it with: duckdb -readonly ${target.root}/${CATALOG}`)
  return 0
}

async function verify(target: Target): Promise<number> {
  const spill = await mkdtemp(join(tmpdir(), 'sluice-verify-'))
  try {
    const found = await withOperatorDatabase((_, pool) => verifyExport({ pool, target, spill }))
    show(found)
    return found.differences.length === 0 ? 0 : 1
  } finally {
    await rm(spill, { recursive: true, force: true })
  }
}

function show({ datasets, api, differences, exportedAt }: Verification): void {
  console.table(Object.fromEntries(datasets.map(({ name, ...figures }) => [name, figures])))
  const changed = datasets.filter(({ changedSince }) => changedSince > 0)
  if (changed.length > 0)
    console.log(
      `changed in the database since ${exportedAt}, and compared with the manifest alone: ${changed.map(({ name }) => name).join(', ')}`,
    )
  console.log(`compared with the API: ${api.balances} balances, ${api.months} months of profit and loss`)
  for (const difference of differences) console.log(`DIFFERS  ${difference}`)
  console.log(
    differences.length === 0
      ? 'export and source agree'
      : `${differences.length} differences between export and source`,
  )
}
