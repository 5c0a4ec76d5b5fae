import { endProcess, isRunning } from './process-mark.ts'
import { readRun, removeRun, type Run } from './run-file.ts'

/**
 * Cleans up after an earlier run. Returns that run if its supervisor is alive. Otherwise stops the processes
 * that it left and returns null.
 */
export async function endStaleRun(home: string, log: (line: string) => void): Promise<Run | null> {
  const run = readRun(home)
  if (!run) {
    // Removes half a file, which a later start would take for the run of another supervisor.
    removeRun(home)
    return null
  }
  if (isRunning(run.supervisor)) return run
  const orphans = Object.entries(run.children).filter(([, mark]) => isRunning(mark))
  log(`the last run (pid ${run.supervisor.pid}) did not end cleanly`)
  for (const [name, mark] of orphans.reverse()) {
    log(`stopping ${name} (pid ${mark.pid}), which it left behind`)
    await endProcess(mark, 15_000)
  }
  removeRun(home)
  return null
}
