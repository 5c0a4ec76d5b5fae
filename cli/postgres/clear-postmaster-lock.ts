import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf, endProcess, markOf } from '../supervisor/process-mark.ts'

/**
 * Handles the lock file that a killed Postgres leaves. A server that still runs on this data folder is ended; a number
 * that belongs to another program by now would keep Postgres from starting, so the file goes.
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
    log(`postgres (pid ${pid}) still runs on ${dataFolder}; ending it`)
    await endProcess(mark, 15_000)
  }
  rmSync(file, { force: true })
}
