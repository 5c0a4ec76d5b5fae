import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOG } from '../../export/catalog.ts'
import { printDictionary } from '../../export/dictionary.ts'
import { followExports } from '../../export/follow-exports.ts'
import { readManifest } from '../../export/manifest.ts'
import { runExport } from '../../export/run-export.ts'
import type { Target } from '../../export/target.ts'
import { type Verification, verifyExport } from '../../export/verify.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { reasonOf } from '../explain-error.ts'
import { exportTarget } from '../export-target.ts'
import { ROOT } from '../folders.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRows, toJson } from '../print.ts'
import type { EXPORT } from '../specs/data.ts'

interface As {
  json: boolean
}

/** Writes or verifies the export for analysts, or writes the data dictionary. */
export async function run(given: Given<typeof EXPORT>): Promise<number> {
  switch (given.action) {
    case '':
      return given.follow ? follow(exportTarget(given.to), given) : write(exportTarget(given.to), given)
    case 'verify':
      return verify(exportTarget(given.target), given)
    case 'dictionary':
      await writeFile(join(ROOT, 'docs', 'data-dictionary.md'), printDictionary())
      return 0
  }
}

async function write(target: Target, as: As): Promise<number> {
  const startMs = Date.now()
  await target.check()
  const { datasets, exportedAt } = await withOperatorDatabase((_, pool) =>
    runExport({ pool, target, now: () => new Date() }),
  )
  if (as.json) {
    console.log(toJson({ target: target.root, exportedAt, datasets }))
    return 0
  }
  printRows(datasets, as)
  for (const { name, unfit } of datasets)
    if (unfit > 0)
      console.log(
        `${name}: ${unfit} rows have a number with more digits than its column holds: see the column unfit`,
      )
  console.log(`as of ${exportedAt}, in ${((Date.now() - startMs) / 1000).toFixed(1)} s: ${target.root}`)
  console.log(`open it with: duckdb -readonly ${target.root}/${CATALOG}`)
  return 0
}

/** Exports until it is stopped. A failure is printed, and the next export tries again. */
async function follow(target: Target, { json, every }: As & { every: number }): Promise<number> {
  await target.check()
  await followExports({
    run: () => withOperatorDatabase((_, pool) => runExport({ pool, target, now: () => new Date() })),
    everyMs: every * 1_000,
    tell: ({ exportedAt, datasets }) => {
      const written = datasets.filter((dataset) => dataset.written > 0)
      if (json) console.log(JSON.stringify({ target: target.root, exportedAt, written }))
      else console.log(`${exportedAt}  ${written.map(({ name }) => name).join(', ') || 'nothing changed'}`)
    },
    failed: (error) => console.error(`the export failed, the next tries again: ${reasonOf(error)}`),
  })
  return 0
}

async function verify(target: Target, as: As): Promise<number> {
  if (!(await readManifest(target)))
    throw new CommandError(
      `there is no export in ${target.root}: write one with "sluice export --to ${target.root}"`,
    )
  const spill = await mkdtemp(join(tmpdir(), 'sluice-verify-'))
  try {
    const found = await withOperatorDatabase((_, pool) => verifyExport({ pool, target, spill }))
    if (as.json) console.log(toJson(found))
    else show(found)
    return found.differences.length === 0 ? 0 : 1
  } finally {
    await rm(spill, { recursive: true, force: true })
  }
}

function show({ datasets, api, differences, exportedAt }: Verification): void {
  printRows(datasets, { json: false })
  const changed = datasets.filter(({ changedSince }) => changedSince > 0)
  if (changed.length > 0)
    console.log(
      `changed in the database since ${exportedAt}, so compared with the manifest only: ${changed.map(({ name }) => name).join(', ')}`,
    )
  console.log(`compared with the API: ${api.balances} balances, ${api.months} months of profit and loss`)
  for (const difference of differences) console.log(`DIFFERS  ${difference}`)
  console.log(
    differences.length === 0
      ? 'export and source agree'
      : `${differences.length} differences between export and source`,
  )
}
