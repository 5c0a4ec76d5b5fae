import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Run } from '../../../cli/supervisor/run-file.ts'
import { readProcesses } from '../shared/processes.ts'

/** Share of the machine by part. `rest`: the load generator and the system. The sum is the busy time. */
export type Shares = Record<string, number>

/** The name of a part without its number. */
const kindOf = (name: string) =>
  name.startsWith('anvil-') || name === 'sandbox' ? 'upstreams' : name.replace(/-\d+$/, '')

/** Runs `work` and measures the share of the machine that each part used meanwhile. */
export async function withShares<T>(
  run: Run,
  work: () => Promise<T>,
): Promise<{ result: T; shares: Shares }> {
  const before = { parts: partSeconds(run), machine: machineSeconds() }
  const result = await work()
  const after = { parts: partSeconds(run), machine: machineSeconds() }
  const total = after.machine.total - before.machine.total
  const shares: Shares = {}
  for (const [name, seconds] of Object.entries(after.parts))
    shares[name] = (seconds - (before.parts[name] ?? 0)) / total
  const busy = (after.machine.busy - before.machine.busy) / total
  shares['rest'] = busy - Object.values(shares).reduce((sum, share) => sum + share, 0)
  return { result, shares }
}

/** CPU seconds so far by kind of part, including child processes, such as the sessions of Postgres. */
function partSeconds({ children }: Run): Record<string, number> {
  const processes = readProcesses()
  const seconds: Record<string, number> = {}
  for (const [name, { pid }] of Object.entries(children)) {
    for (const one of processes.filter((each) => each.pid === pid || each.parent === pid)) {
      const kind = isOfTemporal(one.pid) ? 'postgres for temporal' : kindOf(name)
      // Ended children are included in the times of their parent.
      seconds[kind] = (seconds[kind] ?? 0) + one.cpuS + (one.pid === pid ? one.endedCpuS : 0)
    }
  }
  return seconds
}

/** Whether a process is a Postgres session of Temporal, by its title. */
function isOfTemporal(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: temporal ')
  } catch {
    return false
  }
}

function machineSeconds(): { busy: number; total: number } {
  let busy = 0
  let total = 0
  for (const { times } of cpus()) {
    const all = Object.values(times).reduce((sum, time) => sum + time, 0)
    busy += (all - times.idle) / 1_000
    total += all / 1_000
  }
  return { busy, total }
}
