import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Run } from '../../../cli/supervisor/run-file.ts'
import { readProcesses } from '../shared/processes.ts'

/** Which share of the machine a part took, by name; `rest`: what made the load, and the system. They add up to what was busy. */
export type Shares = Record<string, number>

/** What the numbered parts of a kind have in common. */
const kindOf = (name: string) =>
  name.startsWith('anvil-') || name === 'sandbox' ? 'upstreams' : name.replace(/-\d+$/, '')

/** Runs `work` and says what each part took of the machine meanwhile. */
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

/** CPU seconds by kind of part so far, with those of their children: of Postgres, its sessions. */
function partSeconds({ children }: Run): Record<string, number> {
  const processes = readProcesses()
  const seconds: Record<string, number> = {}
  for (const [name, { pid }] of Object.entries(children)) {
    for (const one of processes.filter((each) => each.pid === pid || each.parent === pid)) {
      const kind = isOfTemporal(one.pid) ? 'postgres for temporal' : kindOf(name)
      // Children that have ended are in the times of their parent.
      seconds[kind] = (seconds[kind] ?? 0) + one.cpuS + (one.pid === pid ? one.endedCpuS : 0)
    }
  }
  return seconds
}

/** Whether a process is a session of Temporal's role in Postgres, by its title. */
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
