import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, type ServiceSpec, startService } from '../../cli/supervisor/service.ts'

export interface KeptAlive {
  name: string
  /** Id of the current process. */
  pid: () => number
  /** Resolves when the current process is up. */
  up: () => Promise<void>
  /** Kills it and its child processes with SIGKILL; it is then restarted. */
  kill: () => void
  stop: () => Promise<void>
}

const RESTART_MS = 200

/**
 * Starts a part and restarts it without limit, because the crash test kills it more often than a supervisor
 * accepts.
 */
export function keepAlive(spec: ServiceSpec, logFile: string): KeptAlive {
  const events = {
    onLine: (line: string) => appendFileSync(logFile, `${line}\n`),
    onSpawn: () => {},
    onExit: () => {},
  }
  let isStopping = false
  let running: Running = startService(spec, events)
  const over = (async () => {
    for (;;) {
      await running.ended
      if (isStopping) return
      await sleep(RESTART_MS)
      if (isStopping) return
      running = startService(spec, events)
    }
  })()

  async function up(): Promise<void> {
    for (;;) {
      const current = running
      const isUp = await current.ready.then(
        () => true,
        () => false,
      )
      if (isUp && current === running) return
      await sleep(50)
    }
  }

  async function stop(): Promise<void> {
    isStopping = true
    await running.stop()
    await over
  }

  return { name: spec.name, pid: () => running.pid, up, kill: () => killTree(running.pid), stop }
}

/** Killing the process group is not enough, because each Postgres backend has its own session. */
function killTree(pid: number): void {
  const children = childrenOf(pid)
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has already exited.
    }
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid)
}

function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}
