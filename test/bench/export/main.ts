import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDb } from '../../../db/connect.ts'
import { DATASETS } from '../../../export/datasets.ts'
import { folderTarget } from '../../../export/folder-target.ts'
import { verifyExport } from '../../../export/verify.ts'
import { readArguments } from '../shared/arguments.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { busyReason } from '../shared/machine.ts'
import { measurePairs } from '../shared/pairs.ts'
import { perSecond, printReport } from '../shared/report.ts'
import type { ExportRun } from './export-process.ts'
import { changeOneWallet, seedMovements, seedTransactions } from './seed.ts'

// G11: time of a complete export into an empty folder, relative to psql's \copy of the same columns.

const args = readArguments({ transactions: 1_000_000, movements: 1_000_000, pairs: 5 })
const log = (line: string) => console.log(`bench:export ${line}`)
const run = promisify(execFile)
const busy = busyReason()
const cleanup = createCleanup()

try {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-export-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  const psql = await debianTool({
    name: 'psql',
    packages: ['postgresql-client-15', 'libpq5'],
    pathInPackage: 'usr/lib/postgresql/15/bin/psql',
  })
  log('starting Postgres')
  const postgres = await startBenchPostgres(cleanup)
  const { pool: owner, close } = openDb({
    url: postgres.ownerUrl,
    maxConnections: 2,
    applicationName: 'bench',
  })
  cleanup.add(close)
  log(`seeding ${count(args.transactions)} transactions, ${count(args.movements)} movements`)
  if (args.transactions > 0) await seedTransactions(owner, args.transactions)
  if (args.movements > 0) await seedMovements(owner, args.movements)
  await owner.query('vacuum (analyze) transactions')
  await owner.query('vacuum (analyze) movements')
  await owner.query('checkpoint')

  const rows = args.transactions + args.movements
  const runs: ExportRun[] = []
  const exportTo = async (name: string): Promise<ExportRun> => {
    const program = join(import.meta.dirname, 'export-process.ts')
    const { stdout } = await run(process.execPath, [program, postgres.roleUrl('ingest'), join(folder, name)])
    return JSON.parse(stdout) as ExportRun
  }
  const ours = async (): Promise<number> => {
    await rm(join(folder, 'export'), { recursive: true, force: true })
    const made = await exportTo('export')
    const found = made.datasets.reduce((total, dataset) => total + dataset.rows, 0)
    if (found < rows) throw new Error(`${found} of ${rows} rows were exported`)
    runs.push(made)
    return made.ms
  }
  const copies = ['transactions', 'movements'].map((name) => {
    const columns = Object.entries(DATASETS.find((dataset) => dataset.name === name)!.columns)
    const select = columns.map(([column, { sql }]) => sql ?? `"${column}"`).join(', ')
    return `\\copy (select ${select} from ${name}) to '${join(folder, `${name}.csv`)}' csv`
  })
  const limit = async (): Promise<number> => {
    const startMs = performance.now()
    const commands = copies.flatMap((copy) => ['-c', copy])
    await run(psql.program, [postgres.ownerUrl, '--quiet', '--no-psqlrc', ...commands], { env: psql.env })
    return performance.now() - startMs
  }
  log('warming up')
  await limit()
  log(`G11: an export and \\copy, ${args.pairs} pairs`)
  const pairs = await measurePairs({ pairs: args.pairs, ours, peer: limit })
  const ratios = pairs.map((pair) => pair.ours / pair.peer)

  log('exporting again: without a change, and after a change of one wallet')
  const unchanged = await exportTo('export')
  await changeOneWallet(owner)
  const before = await bytesOf(join(folder, 'export'))
  const changed = await exportTo('export')
  const after = await bytesOf(join(folder, 'export'))
  const again = [...after].filter(([file]) => !before.has(file))
  const changedBytes = again.reduce((sum, [, bytes]) => sum + bytes, 0)
  const bytes = [...before.values()].reduce((sum, one) => sum + one, 0)

  log('verifying the export')
  const startMs = performance.now()
  const { differences } = await verifyExport({
    pool: owner,
    target: folderTarget(join(folder, 'export')),
    spill: join(folder, 'spill'),
  })
  const verifyMs = performance.now() - startMs
  if (differences.length > 0) throw new Error(`the export is wrong: ${differences.join('; ')}`)

  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const megabytes = (size: number) => `${(size / 1e6).toFixed(0)} MB`
  const rate = (side: 'ours' | 'peer') =>
    pairs.map((pair) => perSecond((rows / pair[side]) * 1_000)).join(', ')
  printReport({
    title: `Exact Parquet of ${count(args.transactions)} transactions and ${count(args.movements)} movements`,
    ratios: [
      {
        id: 'G11',
        name: 'export / psql \\copy CSV (time)',
        values: ratios,
        floor: 2,
        goal: 1.2,
        lessIsBetter: true,
      },
      {
        id: 'changed',
        name: 'export after a change of one wallet, s',
        values: [changed.ms / 1_000],
        floor: 6,
        goal: 1,
        lessIsBetter: true,
      },
    ],
    raw: [
      ['export, rows/s', rate('ours')],
      ['\\copy (limit), rows/s', rate('peer')],
      ['peak memory of the export', `${Math.max(...runs.map(({ peakRssMb }) => peakRssMb))} MB`],
      ['files; their bytes', `${before.size}; ${megabytes(bytes)}`],
      [
        'once more without a change',
        `${seconds(unchanged.ms)}, ${unchanged.datasets.reduce((sum, one) => sum + one.written, 0)} files written`,
      ],
      [
        'one wallet changed, at its oldest and its newest day',
        `${again.length} files written, ${megabytes(changedBytes)}`,
      ],
      ['verification', `${seconds(verifyMs)}, no difference`],
    ],
    busy,
    json: args.json,
  })
} finally {
  await cleanup.run()
}

function count(number: number): string {
  return number.toLocaleString('en')
}

/** Sizes by name of all data files, current and old. */
function bytesOf(folder: string): Promise<Map<string, number>> {
  return folderTarget(folder).listData()
}
