import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, type ServiceEvents, type ServiceSpec, startService } from './service.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** A process that lived this long had started well: its end counts as the first failure again. */
const STEADY_MS = 30_000
const PROBE_EVERY_MS = 5_000
const FAILED_PROBES_ALLOWED = 12
const FAILURES_ALLOWED = 6

export interface Kept {
  name: string
  /** Resolves when it is up for the first time; rejects when it was given up before. */
  ready: Promise<void>
  pid: () => number | null
  stop: () => Promise<void>
}

interface KeepOptions {
  /** Made anew for each start. */
  spec: () => ServiceSpec
  log: (line: string) => void
  events: ServiceEvents
}

/** Delay before the next start after so many failures in a row. */
export function restartDelayMs(failures: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1))
}

/** Starts a service and starts it again when it ends, until it is stopped or fails too often in a row. */
export function keepRunning({ spec, log, events }: KeepOptions): Kept {
  const name = spec().name
  const stopping = new AbortController()
  const firstUp = Promise.withResolvers<void>()
  firstUp.promise.catch(() => {})
  let current: Running | null = null

  const over = (async () => {
    for (let failures = 0; !stopping.signal.aborted;) {
      const startMs = Date.now()
      const reason = await runOnce(failures)
      if (stopping.signal.aborted) break
      failures = Date.now() - startMs > STEADY_MS ? 1 : failures + 1
      if (failures > FAILURES_ALLOWED) {
        const error = new Error(`${name} failed ${failures} times in a row and is given up: ${reason}`)
        log(error.message)
        firstUp.reject(error)
        return
      }
      const delayMs = restartDelayMs(failures)
      log(`${reason}; starting it again in ${delayMs} ms`)
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()

  /** One life of the process; resolves to what ended it. */
  async function runOnce(failures: number): Promise<string> {
    let exit = 'ended'
    const onExit: ServiceEvents['onExit'] = (status) => {
      exit = status.signal ? `was ended by ${status.signal}` : `ended with code ${status.code}`
      events.onExit(status)
    }
    const running = startService(spec(), { ...events, onExit })
    current = running
    try {
      await running.ready
    } catch (error) {
      await running.stop()
      return (error as Error).message
    }
    if (failures > 0) log(`${name} is up again (pid ${running.pid})`)
    firstUp.resolve()
    const hung = await watch(spec(), running)
    await running.ended
    return hung ? `${name} did not answer any more and was ended` : `${name} (pid ${running.pid}) ${exit}`
  }

  /** Probes a running service; stops it and answers true when it has stopped answering. */
  async function watch(service: ServiceSpec, running: Running): Promise<boolean> {
    const { health } = service
    if (!health || !('probe' in health)) return false
    const end = new AbortController()
    void running.ended.then(() => end.abort())
    for (let failed = 0; !end.signal.aborted;) {
      await sleep(PROBE_EVERY_MS, undefined, { signal: end.signal }).catch(() => {})
      if (end.signal.aborted || stopping.signal.aborted) break
      failed = (await health.probe()) ? 0 : failed + 1
      if (failed < FAILED_PROBES_ALLOWED) continue
      await running.stop()
      return true
    }
    return false
  }

  return {
    name,
    ready: firstUp.promise,
    pid: () => current?.pid ?? null,
    stop: async () => {
      stopping.abort()
      firstUp.reject(new Error(`${name} was stopped`))
      await current?.stop()
      await over
    },
  }
}
