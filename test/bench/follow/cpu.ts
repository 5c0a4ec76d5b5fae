import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { readProcess, readProcesses } from '../shared/processes.ts'

/** Milliseconds of CPU of a process so far, of all its threads. Exact where /proc has schedstat. */
export function processCpuMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + threadNs(pid, thread), 0) / 1e6
  } catch {
    return (readProcess(pid)?.cpuS ?? 0) * 1_000
  }
}

const threadNs = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])

/** The same of a Postgres server with all its processes; sessions that have ended count. */
export async function postgresCpu(owner: pg.Pool): Promise<() => number> {
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { parent } = readProcess(rows[0]!.pid)!
  return () => {
    const own = readProcesses().filter((one) => one.pid === parent || one.parent === parent)
    const ended = own.find(({ pid }) => pid === parent)?.endedCpuS ?? 0
    return own.reduce((sum, { pid }) => sum + processCpuMs(pid), ended * 1_000)
  }
}
