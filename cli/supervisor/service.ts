import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeWhole } from '../write-whole.ts'

/**
 * How a process shows that it is up: it answers a probe, or it prints a line that contains the text. A probe
 * checks that the process itself answers, not another program at its port.
 */
export type Health = { probe: (pid: number) => Promise<boolean> } | { line: string }

export interface ServiceSpec {
  name: string
  command: string
  args: readonly string[]
  /** More arguments, determined at the start from what the previous process left. */
  argsAtStart?: () => readonly string[]
  env: Record<string, string>
  /** Configuration files by path, written before the start; only this user may read them. */
  files?: Readonly<Record<string, string>>
  /** Names of the ports that it listens on. */
  listensOn?: readonly string[]
  /** Account to run as; absent: that of this process. */
  uid?: number
  gid?: number
  /** null for a job that ends by itself. */
  health: Health | null
  startDeadlineMs: number
  /** Signal that asks the process to stop. After the deadline its whole group is killed. */
  stopSignal: 'SIGINT' | 'SIGTERM'
  stopDeadlineMs: number
}

export interface ServiceEvents {
  onLine: (line: string) => void
  /** A process was started. */
  onSpawn: (pid: number) => void
  onExit: (exit: { code: number | null; signal: NodeJS.Signals | null }) => void
}

export interface Running {
  pid: number
  /** Resolves when the process has ended. */
  ended: Promise<void>
  /** Resolves when it is up; rejects when it ends before that or misses the deadline. */
  ready: Promise<void>
  /** Whether the process has ended. */
  hasEnded: () => boolean
  stop: () => Promise<void>
}

const LAST_LINES_MS = 1_000

/** Starts a process in its own group, so that none of its children outlive it. */
export function startService(spec: ServiceSpec, events: ServiceEvents): Running {
  for (const [file, text] of Object.entries(spec.files ?? {})) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeWhole(file, text, { mode: 0o600 })
  }
  const args = [...spec.args, ...(spec.argsAtStart?.() ?? [])]
  const child = spawn(spec.command, args, {
    env: spec.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(spec.uid !== undefined && { uid: spec.uid, gid: spec.gid }),
  })
  const lines = watchLines(child, wantedLine(spec), events.onLine)
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      events.onLine(`cannot be started: ${error.message}`)
      events.onExit({ code: null, signal: null })
      resolve()
    })
    child.once('exit', (code, signal) => {
      killGroup(child, 'SIGKILL')
      events.onExit({ code, signal })
      // Waits for its last lines, but not long: its children may keep the pipe open.
      const late = setTimeout(resolve, LAST_LINES_MS)
      child.once('close', () => {
        clearTimeout(late)
        resolve()
      })
    })
  })
  if (child.pid !== undefined) events.onSpawn(child.pid)
  const ready = waitUntilReady(spec, child.pid ?? -1, ended, lines)
  // A caller that stops the process before it is up does not wait for `ready`.
  ready.catch(() => {})
  return {
    pid: child.pid ?? -1,
    ended,
    ready,
    hasEnded: () => hasEnded(child),
    stop: () => stop(spec, child, ended),
  }
}

async function waitUntilReady(
  spec: ServiceSpec,
  pid: number,
  ended: Promise<void>,
  lines: ReturnType<typeof watchLines>,
): Promise<void> {
  if (spec.health === null) return
  let over = false
  void ended.then(() => (over = true))
  const deadline = Date.now() + spec.startDeadlineMs
  for (;;) {
    if (over) throw new Error(`${spec.name} ended before it was up${lines.tail()}`)
    if ('line' in spec.health ? lines.found() : await spec.health.probe(pid)) return
    if (Date.now() > deadline)
      throw new Error(`${spec.name} was not up within ${spec.startDeadlineMs / 1000} s${lines.tail()}`)
    await Promise.race([sleep(50), ended])
  }
}

function wantedLine({ health }: ServiceSpec): string | null {
  return health && 'line' in health ? health.line : null
}

async function stop(spec: ServiceSpec, child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (hasEnded(child)) return
  child.kill(spec.stopSignal)
  const timer = new AbortController()
  const late = sleep(spec.stopDeadlineMs, 'late', { signal: timer.signal }).catch(() => 'over')
  if ((await Promise.race([ended, late])) === 'late') killGroup(child, 'SIGKILL')
  timer.abort()
  await ended
}

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is already empty.
  }
}

/** Passes on the lines of a process, notices the wanted line, and keeps the last ones for error messages. */
function watchLines(child: ChildProcess, wanted: string | null, onLine: (line: string) => void) {
  const last: string[] = []
  let found = false
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line)
      if (last.length > 12) last.shift()
      if (wanted !== null && line.includes(wanted)) found = true
      onLine(line)
    })
  }
  return {
    found: () => found,
    tail: () =>
      last.length === 0 ? '' : `; its last lines:\n${last.map((line) => `    ${line}`).join('\n')}`,
  }
}
