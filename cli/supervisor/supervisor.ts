import { join } from 'node:path'
import { bestEffort } from './best-effort.ts'
import { importantLine } from './important-line.ts'
import { type Kept, keepRunning } from './keep-running.ts'
import { openLogFile } from './log-file.ts'
import { endProcess, markOf } from './process-mark.ts'
import type { Ports } from './reserve-ports.ts'
import { removeRun, type Run, writeRun } from './run-file.ts'
import { type ServiceEvents, type ServiceSpec, startService } from './service.ts'

export interface Supervisor {
  /** Starts a service, waits until it is up, and keeps it running until it is stopped. */
  keep: (spec: () => ServiceSpec, options?: KeepOptions) => Promise<Pick<Kept, 'stop'>>
  /** Runs a job to its end. Resolves to its last line; rejects when it fails. */
  runJob: (spec: ServiceSpec) => Promise<string>
  /** Registers a listener for the names of parts that moved to other ports. */
  onMoved: (listener: (names: readonly string[]) => void) => void
  /** true after it was told to stop; nothing is started then. */
  stopping: () => boolean
  /** Stops everything in reverse order of the starts. */
  stop: () => Promise<void>
  /** Kills everything at once. */
  kill: () => Promise<void>
}

interface KeepOptions {
  /** Failures after which a service that was never up is given up; absent: never. */
  attempts?: number
}

interface SupervisorOptions {
  home: string
  /** Processes and ports, kept up to date in run.json. */
  run: Run
  /** Ports of the run. */
  ports: Ports
  log: (line: string) => void
  /** Delay before the next start after this many failures in a row. */
  delayMs?: (failures: number) => number
}

/**
 * Keeps the processes of an installation running until it is stopped. A failed write of its files does not
 * stop it. When a part moves to another port, the parts that use it are restarted.
 */
export function createSupervisor({ home, run, ports, log, delayMs }: SupervisorOptions): Supervisor {
  const stops: (() => Promise<void>)[] = []
  const services = new Set<Kept>()
  const listeners: ((names: readonly string[]) => void)[] = []
  let ending = false
  const save = bestEffort({ what: join(home, 'run.json'), log, write: () => ending || writeRun(home, run) })
  save()

  async function checkPorts({ listensOn = [] }: ServiceSpec): Promise<void> {
    const moved = await ports.recheck(listensOn)
    // While stopping nothing is restarted, not even a killed process that nobody waits for.
    refuseWhenEnding()
    if (moved.length === 0) return
    save()
    for (const service of services) service.refresh()
    for (const listener of listeners) listener(moved)
  }

  function eventsOf(name: string, onLine: (line: string) => void = () => {}) {
    const path = join(home, 'logs', `${name}.log`)
    const file = openLogFile(path, {
      onLost: (error) => log(`${path} cannot be written (${error.message}); ${name} continues`),
    })
    const events: ServiceEvents = {
      onLine: (line) => {
        file.write(line)
        onLine(line)
        const shown = ending ? null : importantLine({ service: name, line })
        if (shown !== null) log(`${name}: ${shown}`)
      },
      onSpawn: (pid) => {
        const mark = markOf(pid)
        if (mark) run.children[name] = mark
        save()
      },
      // A service that has ended stays listed as down until it is stopped.
      onExit: () => {},
    }
    const close = () => {
      delete run.children[name]
      save()
      file.close()
    }
    return { events, close }
  }

  function refuseWhenEnding(): void {
    if (ending) throw new Error('stopping')
  }

  async function keep(spec: () => ServiceSpec, { attempts }: KeepOptions = {}): Promise<Pick<Kept, 'stop'>> {
    refuseWhenEnding()
    const startMs = Date.now()
    const { name } = spec()
    const { events, close } = eventsOf(name)
    const kept = keepRunning({
      spec,
      events,
      beforeStart: checkPorts,
      log: (line) => void (ending || log(line)),
      ...(attempts !== undefined && { attempts }),
      ...(delayMs && { delayMs }),
    })
    services.add(kept)
    const stop = async () => {
      services.delete(kept)
      await kept.stop()
      close()
    }
    stops.push(stop)
    await kept.ready
    log(`${name} is up (pid ${kept.pid()}, ${Date.now() - startMs} ms)`)
    return { stop }
  }

  async function runJob(spec: ServiceSpec): Promise<string> {
    refuseWhenEnding()
    const lines: string[] = []
    let code: number | null = null
    const { events, close } = eventsOf(spec.name, (line) => lines.push(line))
    const onExit: ServiceEvents['onExit'] = (exit) => {
      code = exit.code
      events.onExit(exit)
    }
    const running = startService(spec, { ...events, onExit })
    stops.push(running.stop)
    await running.ended
    close()
    if (code === 0) return lines.at(-1) ?? ''
    const reason = lines.findLast((line) => line.includes('Error')) ?? lines.at(-1)
    throw new Error(`${spec.name} failed (code ${code}): ${reason}`)
  }

  return {
    keep,
    runJob,
    onMoved: (listener) => void listeners.push(listener),
    stopping: () => ending,
    stop: async () => {
      ending = true
      for (const stop of stops.splice(0).reverse()) await stop()
      ports.release()
      removeRun(home)
    },
    kill: async () => {
      ending = true
      await Promise.all(Object.values(run.children).map((mark) => endProcess(mark, 0)))
    },
  }
}
