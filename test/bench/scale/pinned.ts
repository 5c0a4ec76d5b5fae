import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import type { Run } from '../../../cli/supervisor/run-file.ts'
import { readProcesses } from '../shared/processes.ts'

const run = promisify(execFile)

/** Cores of the parts that are measured, and of all others with the load generator. */
export interface Cores {
  measured: string
  others: string
}

/** The lower half of the cores for the measured part. With one core both share it. */
export function halves(count = cpus().length): Cores {
  const half = Math.floor(count / 2)
  if (half === 0) return { measured: '0', others: '0' }
  return { measured: listOf(0, half), others: listOf(half, count) }
}

const listOf = (from: number, to: number) => (to - from === 1 ? `${from}` : `${from}-${to - 1}`)

/** Keeps processes of a kind on the cores of the measured part, and all others of the run on the rest. */
export async function pinRun({ children }: Run, kind: 'api' | 'worker', cores: Cores): Promise<void> {
  const processes = readProcesses()
  for (const [name, { pid }] of Object.entries(children)) {
    const isMeasured = name === kind || name.startsWith(`${kind}-`)
    // Sessions of Postgres are children; those that come later inherit the cores.
    for (const one of processes.filter((each) => each.pid === pid || each.parent === pid))
      await pin(one.pid, isMeasured ? cores.measured : cores.others)
  }
}

/** All threads. A process that has ended meanwhile needs no cores. */
const pin = (pid: number, cores: string) =>
  run('taskset', ['-a', '-c', '-p', cores, String(pid)]).catch((error: Error) => {
    if (!/No such process/.test(error.message)) throw error
  })
