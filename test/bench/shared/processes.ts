import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux: the unit of the times in /proc. */
const TICKS_PER_SECOND = 100

/** A process of this machine, as Linux tells of it. */
export interface Process {
  pid: number
  parent: number
  /** Seconds of CPU: its own, and of its children that have ended. */
  cpuS: number
  endedCpuS: number
}

/** All of them. One that ends meanwhile is left out. */
export const readProcesses = (): Process[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []))

/** Null: it has ended. */
export function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in brackets and may hold spaces.
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
