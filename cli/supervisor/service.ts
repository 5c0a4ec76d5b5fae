import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeWhole } from '../write-whole.ts'

/**
 * How a process shows that it is up: it answers a probe, or it has printed a line that contains the text. A probe makes
 * sure that the process answers, and not somebody else at its port.
 */
export type Health = { probe: (pid: number) => Promise<boolean> } | { line: string }

export interface ServiceSpec {
  name: string
  command: string
  args: readonly string[]
  /** More of them, found out as it starts: by what the process before has left. */
  argsAtStart?: () => readonly string[]
  env: Record<string, string>
  /** Configuration by path, written before it starts; only this user may read it. */
  files?: Readonly<Record<string, string>>
  /** Names of the ports that it listens on. */
  listensOn?: readonly string[]
  /** The account to run as; absent: the own one. */
  uid?: number
  gid?: number
  /** null: a job that ends by itself. */
  health: Health | null
  startDeadlineMs: number
  /** Asks the process to end; after the deadline its whole group is killed. */
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
  /** Resolves when it is up; rejects when it ends before, or is not up by the deadline. */
  ready: Promise<void>
  /** Whether its process has ended. */
  hasEnded: () => boolean
  stop: () => Promise<void>
}

const LAST_LINES_MS = 1_000

/** Starts one process in a group of its own, so that nothing of it is left behind when it ends. */
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
      // Its last lines may still be on their way; what it started may hold the pipe open for longer than we wait.
      const late = setTimeout(resolve, LAST_LINES_MS)
      child.once('close', () => {
        clearTimeout(late)
        resolve()
      })
    })
  })
  if (child.pid !== undefined) events.onSpawn(child.pid)
  const ready = waitUntilReady(spec, child.pid ?? -1, ended, lines)
  // A caller that stops it before it is up does not wait for this.
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
    // The group is empty already.
  }
}

/** Passes a process's lines on, notices the one that is waited for, and keeps the last ones for error messages. */
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
