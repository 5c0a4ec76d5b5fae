import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine, as Linux tells of it. */
export interface Process {
  pid: number
  parent: number
  /** Of CPU, 100 a second: its own, and of its children that have ended. */
  ticks: number
  endedTicks: number
}

/** All of them. One that ends meanwhile is left out. */
export const readProcesses = (): Process[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name) ?? []) : []))

function readProcess(pid: string): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const number = (index: number) => Number(fields[index])
    return {
      ...{ pid: Number(pid), parent: number(1), ticks: number(11) + number(12) },
      endedTicks: number(13) + number(14),
    }
  } catch {
    return null
  }
}
