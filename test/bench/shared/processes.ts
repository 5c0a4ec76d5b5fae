import { readdirSync, readFileSync } from 'node:fs'

/** Unit of times in /proc on Linux. */
const TICKS_PER_SECOND = 100

/** A process, as read from /proc. */
export interface Process {
  pid: number
  parent: number
  /** CPU seconds of the process, and of its children that have ended. */
  cpuS: number
  endedCpuS: number
}

/** All processes. One that ends meanwhile is left out. */
export const readProcesses = (): Process[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []))

/** null: the process has ended */
export function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program name is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const seconds = (index: number) => Number(fields[index]) / TICKS_PER_SECOND
    return {
      pid,
      parent: Number(fields[1]),
      cpuS: seconds(11) + seconds(12),
      endedCpuS: seconds(13) + seconds(14),
    }
  } catch {
    return null
  }
}

/** A process and all that it started, directly or not. */
export function descendants(pid: number, all: readonly Process[]): number[] {
  return [pid, ...all.filter(({ parent }) => parent === pid).flatMap((child) => descendants(child.pid, all))]
}
