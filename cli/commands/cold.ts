import { readColdFiles } from '../../export/cold/cold-files.ts'
import { COLD_TABLES, holdingBack, type HoldingBack } from '../../export/cold/cold-tables.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { restoreFile } from '../../export/cold/restore-cold.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { exportTarget } from '../export-target.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRows } from '../print.ts'
import { createProgress } from '../progress.ts'
import type { COLD } from '../specs/data.ts'

const DAY_MS = 86_400_000

/** Lists the files that hold old rows, moves rows into new ones, or brings rows back. */
export async function run(given: Given<typeof COLD>): Promise<void> {
  switch (given.action) {
    case '':
      return printRows(await withOperatorDatabase((_, pool) => readColdFiles(pool)), given)
    case 'move':
      return move(given)
    case 'restore':
      return restore(given)
  }
}

async function move(given: Extract<Given<typeof COLD>, { action: 'move' }>): Promise<void> {
  const target = exportTarget(given.to)
  await target.check()
  const before = new Date(Date.now() - given['older-than'] * DAY_MS)
  const progress = createProgress()
  const moved = await withOperatorDatabase(async (_, pool) => {
    const files = []
    for (const table of COLD_TABLES) {
      const months = await movableMonths(pool, { table, before })
      for (const [n, month] of months.entries()) {
        progress.show(n / months.length, `${table.dataset.name} ${month}`)
        const file = await moveMonth({ pool, target, table }, month)
        if (file) files.push(file)
      }
    }
    for (const one of await holdingBack(pool, before)) console.error(`sluice: ${whyStaying(one)}`)
    return files
  }).finally(() => progress.end())
  printRows(moved, given)
}

function whyStaying({ network, address, derivedTo, months }: HoldingBack): string {
  const derived = derivedTo < 0 ? 'not derived by this release yet' : `derived up to block ${derivedTo} only`
  return `transactions of ${months} ${months === 1 ? 'month' : 'months'} on ${network} stay: the wallet ${address} is ${derived}`
}

async function restore(given: Extract<Given<typeof COLD>, { action: 'restore' }>): Promise<void> {
  const target = exportTarget(given.to)
  const { month } = given
  const progress = createProgress()
  const restored = await withOperatorDatabase(async (_, pool) => {
    const files = (await readColdFiles(pool)).filter((one) => month === undefined || one.month === month)
    if (month !== undefined && files.length === 0)
      throw new CommandError(`no rows of "${month}" have moved: "sluice cold" lists the months`)
    const done = []
    for (const [n, file] of files.entries()) {
      progress.show(n / files.length, `${file.dataset} ${file.month}`)
      if (await restoreFile({ pool, target }, file)) done.push(file)
    }
    return done
  }).finally(() => progress.end())
  printRows(restored, given)
}
