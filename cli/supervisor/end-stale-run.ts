import { endProcess, isRunning } from './process-mark.ts'
import { readRun, removeRun, type Run } from './run-file.ts'

/**
 * Looks at what an earlier run left. Answers the run that is still supervised, if there is one; otherwise ends the
 * processes of a run whose supervisor died, and answers null.
 */
export async function endStaleRun(home: string, log: (line: string) => void): Promise<Run | null> {
  const run = readRun(home)
  if (!run) {
    // Half a file, if there is one: a later start must not take it for the run of another.
    removeRun(home)
    return null
  }
  if (isRunning(run.supervisor)) return run
  const orphans = Object.entries(run.children).filter(([, mark]) => isRunning(mark))
  log(`the last run (pid ${run.supervisor.pid}) did not end cleanly`)
  for (const [name, mark] of orphans.reverse()) {
    log(`ending ${name} (pid ${mark.pid}), which it left behind`)
    await endProcess(mark, 15_000)
  }
  removeRun(home)
  return null
}
