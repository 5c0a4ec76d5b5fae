import pg from 'pg'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import { COLD_TABLES } from '../../export/cold/cold-tables.ts'
import { moveMonth } from '../../export/cold/move-cold.ts'
import { restoreFile } from '../../export/cold/restore-cold.ts'
import { folderTarget } from '../../export/folder-target.ts'

// Moves or restores one month and stands still after a step, until a test kills it. It gets DATABASE_URL, and the
// folder, the table, the month, the work and the step as arguments.

const [folder, dataset, month, work, until] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const table = COLD_TABLES.find((one) => one.dataset.name === dataset)!
// Without a time limit, for a busy machine.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL']!, max: 1 })
const target = folderTarget(folder)
const tell = async (step: string): Promise<void> => {
  if (step !== until) return
  console.log('stands still')
  await new Promise((resolve) => setTimeout(resolve, 3_600_000))
}
if (work === 'move') await moveMonth({ pool, target, table, tell }, month)
else
  await restoreFile(
    { pool, target, tell },
    (await readColdFiles(pool)).find((one) => one.month === month)!,
  )
throw new Error(`${work} has no step "${until}"`)
