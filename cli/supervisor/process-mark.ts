import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Identifies a process even after its pid was given to another one. */
export interface ProcessMark {
  pid: number
  /** Start time in the format of the system, only for comparison. */
  started: string
}

/** Returns the mark of a running process; null: there is none, or only a zombie. */
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

/** Stops a process group by the mark of its leader: with SIGINT, and with SIGKILL after the deadline. */
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
    // The process has ended meanwhile.
  }
}

/** Returns the ticks since boot with the id of the boot, so that marks of another boot never match. */
function startedOnLinux(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in brackets and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return null
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
}

function startedByPs(pid: number): string | null {
  const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [state = '', ...started] = line.split(/\s+/)
  return state === '' || state.startsWith('Z') ? null : started.join(' ')
}

/** Returns the program and arguments of a process; empty: there is no such process. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
