import { setTimeout as sleep } from 'node:timers/promises'
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { SourceGate } from '../../activities/source-gate.ts'
import { query } from '../setup/query.ts'
import type { FakeClock } from '../upstreams/double.ts'

/**
 * Runs processes on a fake clock. The clock moves when each of them waits, to the time at which the first one wants
 * to go on: hours of waiting take no time, and work takes none on the clock.
 */
export interface Simulation {
  /** Begins a process. Whatever it throws ends the simulation. */
  start: (name: string, work: () => Promise<void>) => void
  /** Runs a part of the running process as a process of its own, for which the other one waits. */
  within: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Waits on the clock. Returns early when the simulation ends. */
  wait: (ms: number) => Promise<void>
  /** Aborted at the end. */
  ending: AbortSignal
  /** A gate whose waits are on the clock. */
  gated: (createGate: (wait: (ms: number) => Promise<void>) => SourceGate) => SourceGate
  /** Lets the processes work until that time, and then until they have ended. */
  runUntil: (untilMs: number) => Promise<void>
}

/** Real milliseconds without a step after which the processes wait for one another, though something is open. */
const STUCK_MS = 1_000
/** The same if no request, query or turn is open: only the steps of the event loop are left. */
const QUIET_MS = 3

interface Process {
  name: string
  /** waits that have not ended */
  waiting: number
  /** requests to sources that do not wait for their turn */
  asking: number
}

interface SimulationDeps {
  clock: FakeClock
  /** Called after each move of the clock, before anybody goes on. */
  onMove: () => Promise<void>
  /** requests that are not answered yet: the clock waits for them */
  openRequests: () => number
  /** queries that are not answered yet, and transactions that are open */
  openQueries: () => number
  /** Called before the clock moves though queries are open: a process waits for something within a transaction. */
  onStuck?: () => Promise<void>
}

export function createSimulation({
  clock,
  onMove,
  openRequests,
  openQueries,
  onStuck = async () => {},
}: SimulationDeps): Simulation {
  const current = new AsyncLocalStorage<Process>()
  const ending = new AbortController()
  const processes = new Set<Process>()
  const running: Promise<void>[] = []
  let waits: { atMs: number; wake: () => void; by: Process }[] = []
  let [endMs, failure] = [Infinity, null as Error | null]
  let [isMoving, isLooking] = [false, false]
  let [steps, seenSteps] = [0, 0]

  function own(): Process {
    const process = current.getStore()
    if (!process) throw new Error('only a process can wait')
    return process
  }

  const isIdle = ({ waiting, asking }: Process) => waiting > 0 && asking === 0

  function end(): void {
    ending.abort()
    for (const { wake } of waits.splice(0)) wake()
  }

  /** What has just been woken, or ends, may begin another wait first. */
  function lookLater(): void {
    if (isLooking) return
    isLooking = true
    setImmediate(() => {
      isLooking = false
      void moveOn()
    })
  }

  async function moveOn(isStuck = false): Promise<void> {
    if (isMoving || waits.length === 0) return
    if (openRequests() > 0) return void setTimeout(lookLater, 1)
    if (!isStuck && ![...processes].every(isIdle)) return
    isMoving = true
    steps++
    const atMs = Math.min(...waits.map((one) => one.atMs))
    try {
      if (isStuck && openQueries() > 0) await onStuck()
      if (atMs >= endMs) return end()
      if (atMs > clock.now()) {
        clock.advance(atMs - clock.now())
        await onMove()
      }
      const due = waits.filter((one) => one.atMs <= atMs)
      waits = waits.filter((one) => one.atMs > atMs)
      for (const { wake } of due) wake()
    } catch (error) {
      fail(error)
    } finally {
      isMoving = false
    }
  }

  function fail(error: unknown): void {
    failure ??= error instanceof Error ? error : new Error(String(error))
    end()
  }

  async function wait(ms: number): Promise<void> {
    if (ending.signal.aborted) return
    if (!Number.isFinite(ms)) throw new Error(`nobody can wait for ${ms} ms`)
    const by = own()
    by.waiting++
    steps++
    await new Promise<void>((resolve) => {
      waits.push({ atMs: clock.now() + Math.ceil(ms), by, wake: resolve })
      lookLater()
    })
    by.waiting--
  }

  async function run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const process: Process = { name, waiting: 0, asking: 0 }
    processes.add(process)
    try {
      return await current.run(process, work)
    } finally {
      processes.delete(process)
      lookLater()
    }
  }

  return {
    ending: ending.signal,
    wait,
    start(name, work) {
      running.push(
        run(name, work).catch((error: unknown) => fail(new Error(`${name} failed`, { cause: error }))),
      )
    },
    async within(name, work) {
      const outer = own()
      outer.waiting++
      try {
        return await run(name, work)
      } finally {
        outer.waiting--
      }
    },
    gated(createGate) {
      const gate = createGate(async (ms) => {
        const process = own()
        process.asking--
        await wait(ms)
        process.asking++
      })
      const after = async (work: Promise<void>): Promise<void> => {
        await work
        own().asking--
        lookLater()
      }
      return {
        async admit(source, url) {
          own().asking++
          try {
            await gate.admit(source, url)
          } catch (error) {
            own().asking--
            throw error
          }
        },
        succeeded: (source) => after(gate.succeeded(source)),
        failed: (refusal) => after(gate.failed(refusal)),
      }
    },
    async runUntil(untilMs) {
      endMs = untilMs
      lookLater()
      // A process that waits for an answer to another one, which waits on the clock, is not seen to wait.
      let stillMs = 0
      const stuck = setInterval(() => {
        stillMs = steps === seenSteps ? stillMs + QUIET_MS : 0
        seenSteps = steps
        const isOpen = openQueries() > 0 || [...processes].some(({ asking }) => asking > 0)
        if (stillMs >= (isOpen ? STUCK_MS : 2 * QUIET_MS)) void moveOn(true)
      }, QUIET_MS)
      // A process may have started others meanwhile.
      for (let ended = running.shift(); ended; ended = running.shift()) await ended
      clearInterval(stuck)
      if (failure) throw failure
    },
  }
}

/** Queries of a pool that are not answered yet: its connections that are not free. */
export const openQueries = (pool: pg.Pool): number => pool.totalCount - pool.idleCount + pool.waitingCount

/** Real milliseconds after which a transaction was not only slow, on a busy machine. */
const HELD_MS = 3_000

/** The last queries of transactions that wait for their client. */
export async function waitingTransactions(url: string): Promise<string[]> {
  const look = () =>
    query<{ pid: number; since: string; query: string }>(
      url,
      `select pid, state_change::text as since, query from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
  const before = await look()
  if (before.length === 0) return []
  await sleep(HELD_MS)
  const held = (await look()).filter(({ pid, since }) =>
    before.some((one) => one.pid === pid && one.since === since),
  )
  return held.map((row) => row.query.replaceAll(/\s+/g, ' '))
}
