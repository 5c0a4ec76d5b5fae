import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, type ServiceEvents, type ServiceSpec, startService } from './service.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** When a process has run this long, its end counts as a first failure. */
const STEADY_MS = 30_000
const PROBE_EVERY_MS = 5_000
const FAILED_PROBES_ALLOWED = 12
/** From this many failures in a row on, only every sixth is logged. */
const TOLD_ONE_BY_ONE = 6

export interface Kept {
  name: string
  /** Resolves when it is up for the first time; rejects when it is stopped or given up before that. */
  ready: Promise<void>
  pid: () => number | null
  /** Restarts it if its arguments or environment have changed. */
  refresh: () => void
  stop: () => Promise<void>
}

interface KeepOptions {
  /** Called for each start, because addresses may change. */
  spec: () => ServiceSpec
  /** Called before each start. */
  beforeStart: (spec: ServiceSpec) => Promise<void>
  log: (line: string) => void
  events: ServiceEvents
  /** Failures after which a service that was never up is given up; absent: never. */
  attempts?: number
  delayMs?: (failures: number) => number
}

/** Returns the delay before the next start after this many failures in a row. */
export function restartDelayMs(failures: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1))
}

/** Starts a service and restarts it when it ends, until it is stopped. */
export function keepRunning(options: KeepOptions): Kept {
  const { spec, beforeStart, log, events, attempts = Infinity, delayMs = restartDelayMs } = options
  const name = spec().name
  const stopping = new AbortController()
  const firstUp = Promise.withResolvers<void>()
  firstUp.promise.catch(() => {})
  let current: { running: Running; told: string } | null = null
  let wasUp = false
  let isRefreshing = false

  const over = (async () => {
    for (let failures = 0; !stopping.signal.aborted;) {
      const startMs = Date.now()
      const reason = await runOnce(failures).catch((error: Error) => `${name}: ${error.message}`)
      if (stopping.signal.aborted) break
      if (isRefreshing) {
        isRefreshing = false
        continue
      }
      failures = Date.now() - startMs > STEADY_MS ? 1 : failures + 1
      if (!wasUp && failures >= attempts)
        return firstUp.reject(new Error(`${name} failed ${failures} times in a row: ${reason}`))
      tellFailure(reason, failures)
      await sleep(delayMs(failures), undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()

  function tellFailure(reason: string, failures: number): void {
    const next = `${reason}; starting it again in ${delayMs(failures)} ms`
    if (failures < TOLD_ONE_BY_ONE) log(next)
    else if (failures % TOLD_ONE_BY_ONE === 0)
      log(`${name} IS DOWN: it has failed ${failures} times in a row and is retried until it starts. ${next}`)
  }

  /** Runs the process once; resolves to the reason why it ended. */
  async function runOnce(failures: number): Promise<string> {
    await beforeStart(spec())
    let exit = 'ended'
    const onExit: ServiceEvents['onExit'] = (status) => {
      exit = status.signal ? `was killed by ${status.signal}` : `exited with code ${status.code}`
      events.onExit(status)
    }
    const service = spec()
    const running = startService(service, { ...events, onExit })
    current = { running, told: toldBy(service) }
    if (stopping.signal.aborted) await running.stop()
    try {
      await running.ready
    } catch (error) {
      await running.stop()
      return (error as Error).message
    }
    if (failures > 0) log(`${name} is up again (pid ${running.pid})`)
    wasUp = true
    firstUp.resolve()
    const hung = await watch(service, running)
    await running.ended
    return hung ? `${name} stopped answering and was killed` : `${name} (pid ${running.pid}) ${exit}`
  }

  /** Probes a running service. Stops it and returns true when it no longer answers. */
  async function watch(service: ServiceSpec, running: Running): Promise<boolean> {
    const { health } = service
    if (!health || !('probe' in health)) return false
    const end = new AbortController()
    void running.ended.then(() => end.abort())
    for (let failed = 0; !end.signal.aborted;) {
      await sleep(PROBE_EVERY_MS, undefined, { signal: end.signal }).catch(() => {})
      if (end.signal.aborted || stopping.signal.aborted) break
      failed = (await health.probe(running.pid)) ? 0 : failed + 1
      if (failed < FAILED_PROBES_ALLOWED) continue
      await running.stop()
      return true
    }
    return false
  }

  function refresh(): void {
    if (!current || current.running.hasEnded() || current.told === toldBy(spec())) return
    log(`${name} is restarted: an address that it uses has changed`)
    isRefreshing = true
    void current.running.stop()
  }

  return {
    name,
    ready: firstUp.promise,
    pid: () => current?.running.pid ?? null,
    refresh,
    stop: async () => {
      stopping.abort()
      firstUp.reject(new Error(`${name} was stopped`))
      await current?.running.stop()
      await over
    },
  }
}

/** Arguments, environment and files of a process as text, for comparison. */
const toldBy = ({ command, args, env, files }: ServiceSpec): string =>
  JSON.stringify([command, args, env, files])
