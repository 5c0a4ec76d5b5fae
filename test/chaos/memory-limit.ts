import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The kernel's own limit of memory, in either version of its interface.

const ROOT = '/sys/fs/cgroup'
const VERSIONS = [
  { parent: join(ROOT, 'memory'), limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { parent: ROOT, limit: 'memory.max', events: 'memory.events' },
]

export interface MemoryLimit {
  /** How often the kernel has ended a process for it. */
  kills: () => number
  /** When nothing runs under it any more. */
  remove: () => void
}

/**
 * From now on the process may take so much more memory, and the kernel kills it when it does. Null: this system, or its
 * user, has no such limits to give.
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

/** Whether a group that is made there has the limit. */
function hasLimit(parent: string, limit: string): boolean {
  try {
    const folder = groupIn(parent)
    if (existsSync(join(folder, limit))) return true
    rmdirSync(folder)
  } catch {
    // Not for this user.
  }
  return false
}
