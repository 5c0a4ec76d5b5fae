import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that is recognised even after its number was given to another one. */
export interface ProcessMark {
  pid: number
  /** When it started, in the system's own words: only good for comparing. */
  started: string
}

/** The mark of a running process; null where there is none (or only its remains). */
export function markOf(pid: number): ProcessMark | null {
  try {
    const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid)
    return started === null ? null : { pid, started }
  } catch {
    return null
  }
}

export function isRunning(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.started === mark.started
}

/** Ends a process group by its leader's mark: first politely, after the deadline for good. */
export async function endProcess(mark: ProcessMark, deadlineMs: number): Promise<void> {
  if (!isRunning(mark)) return
  send(mark.pid, 'SIGINT')
  const deadline = Date.now() + deadlineMs
  while (isRunning(mark) && Date.now() < deadline) await sleep(50)
  if (isRunning(mark)) {
    send(-mark.pid, 'SIGKILL')
    send(mark.pid, 'SIGKILL')
  }
  while (isRunning(mark)) await sleep(20)
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch {
    // It has ended in the meantime.
  }
}

/** Ticks since boot, with the boot's id: the numbers of another boot never match. */
function startedOnLinux(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return null
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
}

function startedByPs(pid: number): string | null {
  const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [state = '', ...started] = line.split(/\s+/)
  return state === '' || state.startsWith('Z') ? null : started.join(' ')
}

/** Program and arguments of a process; empty where there is none. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
