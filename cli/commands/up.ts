import { spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'
import { homeFolder, programOf } from '../folders.ts'
import { prepareHome } from '../prepare-home.ts'
import { openPrivateHome } from '../supervisor/private-home.ts'
import { readyIn } from '../supervisor/ready-line.ts'

const LOOK_MS = 100

/** Starts everything in the background, and shows what the start prints until everything is up. */
export async function run(): Promise<void> {
  const home = homeFolder()
  await prepareHome(home)
  openPrivateHome(home)
  mkdirSync(join(home, 'logs'), { recursive: true })
  const file = join(home, 'logs', 'start.log')
  // Not emptied, because an installation that runs already writes into it.
  const log = openSync(file, 'a+', 0o600)
  const shown = { position: fstatSync(log).size, rest: '' }
  // In a session of its own, so that it outlives this terminal.
  const child = spawn(process.execPath, [programOf('cli/main.ts'), 'start'], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.once('error', (error) => console.error(`it cannot be started: ${error.message}`))
  for (;;) {
    // Before the last look at its output.
    const hasEnded = child.pid === undefined || child.exitCode !== null || child.signalCode !== null
    if (showNew(log, shown)) break
    if (hasEnded) throw new CommandError(`it ended before it was up; its output is above and in ${file}`)
    await sleep(LOOK_MS)
  }
  closeSync(log)
  child.unref()
  console.log(`It runs in the background. "sluice status" shows it, "sluice down" ends it.\nOutput: ${file}`)
}

/** Prints the lines that were added since the last call. Whether everything is up */
function showNew(log: number, shown: { position: number; rest: string }): boolean {
  const size = fstatSync(log).size
  const bytes = Buffer.alloc(size - shown.position)
  shown.position += readSync(log, bytes, 0, bytes.length, shown.position)
  const lines = (shown.rest + bytes.toString()).split('\n')
  shown.rest = lines.pop()!
  for (const line of lines) {
    const ready = readyIn(line)
    console.log(ready ?? line)
    if (ready !== null) return true
  }
  return false
}
