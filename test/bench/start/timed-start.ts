import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MemoryFigures, watchMemory } from './watch-memory.ts'

/** Seconds from the command to each step of a start. `origin`: where Temporal came from. */
export interface TimedStart {
  /** null: the packages were already installed */
  packages: number | null
  temporal: number
  /** The example calls are shown, after each was tried. */
  calls: number
  /** All areas have their first data. */
  summary: number
  origin: string
  /** From the command until a minute after the summary, in which the last syncs end. */
  memoryMb: MemoryFigures
}

const MINUTE_MS = 60_000

interface StartOptions {
  checkout: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}

/**
 * Runs the command of `npm start` without npm, which does not pass signals on. Stops it a minute after its summary and
 * returns the duration of each step. Rejects if it exits earlier.
 */
export async function timedStart({ checkout, env, log }: StartOptions): Promise<TimedStart> {
  const startMs = performance.now()
  const seconds = () => (performance.now() - startMs) / 1000
  const child = spawn('node', ['cli/launch.mjs', 'start'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const memory = watchMemory(child.pid!)
  const exited = once(child, 'exit')
  const printed: string[] = []
  const seen: Partial<TimedStart> = {}
  const summary = new Promise<void>((resolve, reject) => {
    const onLine = (line: string) => {
      printed.push(line)
      if (/packages compiled|installing|Temporal:/.test(line)) log(line)
      if (line.includes('packages installed')) seen.packages = seconds()
      if (/temporal is up/.test(line)) seen.temporal = seconds()
      const origin = /temporal: \S+ \((.+)\)/.exec(line)?.[1]
      if (origin !== undefined) seen.origin = origin
      if (line.startsWith('API key')) seen.calls = seconds()
      if (line.startsWith('*** SANDBOX')) resolve()
    }
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine)
    void exited.then(() => reject(new Error(`the start exited before its summary:\n${printed.join('\n')}`)))
  })
  try {
    await summary
    const { packages = null, temporal = Number.NaN, calls = Number.NaN, origin = 'unknown' } = seen
    const summaryS = seconds()
    await sleep(MINUTE_MS)
    return { packages, temporal, calls, origin, summary: summaryS, memoryMb: await memory.end() }
  } finally {
    await memory.end()
    child.kill('SIGINT')
    await exited
  }
}
