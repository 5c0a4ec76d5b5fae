import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The kernel's own limit of memory, in either version of its interface.

const ROOT = '/sys/fs/cgroup'

export interface MemoryLimit {
  /** How often the kernel has ended a process for it. */
  kills: () => number
  remove: () => void
}

/** From now on the process may take so much more memory; the kernel kills it when it does. Null: one may not say so here. */
export function limitMemory(pid: number, megabytes: number): MemoryLimit | null {
  const name = `sluice-chaos-${pid}`
  const bytes = String(megabytes * 1_048_576)
  for (const { folder, limit, events } of [
    { folder: join(ROOT, name), limit: 'memory.max', events: 'memory.events' },
    { folder: join(ROOT, 'memory', name), limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  ]) {
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    const remove = (): void => rmdirSync(folder)
    try {
      writeFileSync(join(folder, limit), bytes)
      writeFileSync(join(folder, 'cgroup.procs'), String(pid))
      const kills = () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(folder, events), 'utf8'))?.[1])
      return { kills, remove }
    } catch {
      remove()
    }
  }
  return null
}
