import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Memory limits of the kernel, through cgroups version 1 or 2.

const ROOT = '/sys/fs/cgroup'
const VERSIONS = [
  { parent: join(ROOT, 'memory'), limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { parent: ROOT, limit: 'memory.max', events: 'memory.events' },
]

export interface MemoryLimit {
  /** Number of processes that the kernel has killed for it. */
  kills: () => number
  /** Call it when no process runs under the limit. */
  remove: () => void
}

/**
 * Limits the further memory of a process; the kernel kills it above. null: this system or user cannot set
 * such limits
 */
export function limitMemory(pid: number, megabytes: number): MemoryLimit | null {
  const found = VERSIONS.find(
    ({ parent, limit }) => existsSync(join(parent, 'cgroup.procs')) && hasLimit(parent, limit),
  )
  if (!found) return null
  const folder = groupIn(found.parent)
  writeFileSync(join(folder, found.limit), String(megabytes * 1_048_576))
  writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  const kills = () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(folder, found.events), 'utf8'))?.[1])
  return { kills, remove: () => rmdirSync(folder) }
}

const groupIn = (parent: string): string => {
  const folder = join(parent, `sluice-chaos-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Whether a cgroup created there supports the limit. */
function hasLimit(parent: string, limit: string): boolean {
  try {
    const folder = groupIn(parent)
    if (existsSync(join(folder, limit))) return true
    rmdirSync(folder)
  } catch {
    // This user may not create cgroups.
  }
  return false
}
