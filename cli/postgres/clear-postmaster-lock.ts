import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf, endProcess, markOf } from '../supervisor/process-mark.ts'

/**
 * Handles the lock file of a killed Postgres. Stops a server that still runs on this data folder. Then
 * removes the file: if its pid belongs to another program by now, Postgres would not start.
 */
export async function clearPostmasterLock(dataFolder: string, log: (line: string) => void): Promise<void> {
  const file = join(dataFolder, 'postmaster.pid')
  let pid: number
  try {
    pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  } catch {
    return
  }
  const mark = Number.isInteger(pid) && pid > 0 ? markOf(pid) : null
  if (mark && commandOf(pid).includes(dataFolder)) {
    log(`postgres (pid ${pid}) still runs on ${dataFolder}; stopping it`)
    await endProcess(mark, 15_000)
  }
  rmSync(file, { force: true })
}
