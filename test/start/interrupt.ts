import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { isRunning, type ProcessMark } from '../../cli/supervisor/process-mark.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { LAUNCHER } from './running.ts'

/** Starts everything, sends a signal to the launcher after a line was printed, and waits for its end. */
export async function interrupt(options: { after: string; signal: 'SIGINT' | 'SIGKILL' }) {
  const home = mkdtempSync(join(tmpdir(), 'sluice-start-'))
  chmodSync(home, 0o755)
  const own = {
    SLUICE_HOME: home,
    API_PORT: String(await freePort()),
    TEMPORAL_ADDRESS: '',
    SANDBOX_SCALE: '0.05',
  }
  const env = { ...process.env, ...own }
  const launcher = spawn(process.execPath, [LAUNCHER, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed: string[] = []
  let marks: ProcessMark[] = []
  for await (const line of createInterface({ input: launcher.stdout })) {
    printed.push(line)
    if (marks.length > 0 || !line.includes(options.after)) continue
    const run = readRun(home)!
    marks = [run.supervisor, ...Object.values(run.children)]
    launcher.kill(options.signal)
  }
  // A process closes its output a moment before it ends.
  for (let waited = 0; waited < 40 && marks.some(isRunning); waited++) await sleep(50)
  const left = marks.filter(isRunning)
  const cleared = !existsSync(join(home, 'run.json'))
  rmSync(home, { recursive: true, force: true })
  return { printed: printed.join('\n'), marks, left, cleared }
}
