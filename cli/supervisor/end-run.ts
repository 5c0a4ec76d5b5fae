import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'
import { endStaleRun } from './end-stale-run.ts'
import { isRunning } from './process-mark.ts'

/** Longer than any part may take to stop. */
const DEADLINE_MS = 120_000

/**
 * Ends the installation that runs in a home, and waits until all of its processes have ended. false: none runs.
 * Processes that a killed supervisor left behind are ended as well.
 */
export async function endRun(home: string, log: (line: string) => void): Promise<boolean> {
  const run = await endStaleRun(home, log)
  if (run === null) return false
  const { supervisor } = run
  log(`stopping (pid ${supervisor.pid})`)
  process.kill(supervisor.pid, 'SIGTERM')
  const deadline = Date.now() + DEADLINE_MS
  while (isRunning(supervisor)) {
    if (Date.now() > deadline)
      throw new CommandError(
        `it still runs after ${DEADLINE_MS / 1_000} s (pid ${supervisor.pid}): look at ${home}/logs`,
      )
    await sleep(50)
  }
  return true
}
