import { join } from 'node:path'
import { importantLine } from './important-line.ts'
import { type Kept, keepRunning } from './keep-running.ts'
import { openLogFile } from './log-file.ts'
import { endProcess, markOf } from './process-mark.ts'
import { removeRun, type Run, writeRun } from './run-file.ts'
import { type ServiceEvents, type ServiceSpec, startService } from './service.ts'

export interface Supervisor {
  /** Starts a service and waits until it is up; it is kept running until it is stopped. */
  keep: (spec: () => ServiceSpec) => Promise<Pick<Kept, 'stop'>>
  /** Runs a job to its end; rejects when it fails. Resolves to its last line. */
  runJob: (spec: ServiceSpec) => Promise<string>
  /** Whether it was told to stop: nothing is started any more. */
  stopping: () => boolean
  /** Stops everything, the last started first. */
  stop: () => Promise<void>
  /** Kills everything at once. */
  kill: () => Promise<void>
}

interface SupervisorOptions {
  home: string
  /** Kept up to date in run.json: which process is which. */
  run: Run
  log: (line: string) => void
}

export function createSupervisor({ home, run, log }: SupervisorOptions): Supervisor {
  const stops: (() => Promise<void>)[] = []
  let ending = false
  const save = () => writeRun(home, run)
  save()

  function eventsOf(name: string, onLine: (line: string) => void = () => {}) {
    const file = openLogFile(join(home, 'logs', `${name}.log`))
    const events: ServiceEvents = {
      onLine: (line) => {
        file.write(line)
        onLine(line)
        const shown = ending ? null : importantLine(name, line)
        if (shown !== null) log(`${name}: ${shown}`)
      },
      onSpawn: (pid) => {
        const mark = markOf(pid)
        if (mark) run.children[name] = mark
        save()
      },
      onExit: () => {
        delete run.children[name]
        save()
      },
    }
    return { events, close: file.close }
  }

  function refuseWhenEnding(): void {
    if (ending) throw new Error('stopping')
  }

  async function keep(spec: () => ServiceSpec): Promise<Pick<Kept, 'stop'>> {
    refuseWhenEnding()
    const startMs = Date.now()
    const { name } = spec()
    const { events, close } = eventsOf(name)
    const kept: Kept = keepRunning({ spec, events, log: (line) => void (ending || log(line)) })
    const stop = async () => {
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
    stopping: () => ending,
    stop: async () => {
      ending = true
      for (const stop of stops.splice(0).reverse()) await stop()
      removeRun(home)
    },
    kill: async () => {
      ending = true
      await Promise.all(Object.values(run.children).map((mark) => endProcess(mark, 0)))
    },
  }
}
