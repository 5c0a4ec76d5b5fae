import { asyncLocalStorage, type Context } from '@temporalio/activity'
import { ActivityFailure, ensureApplicationFailure } from '@temporalio/common'
import type { ActivityOptions } from '@temporalio/workflow'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import type { FakeClock } from '../upstreams/double.ts'
import type { Simulation } from './simulation.ts'
import { ContinueAsNew, workflowHost } from './simulated-workflow-api.ts'
import type { ChildOptions } from './simulated-workflow-api.ts'

type Activity = (input: unknown) => Promise<unknown>
type Workflow = (...args: never[]) => Promise<unknown>

/** One end of a workflow that did not succeed, or one failure of an activity that was tried again. */
export interface Failed {
  at: string
  /** of the workflow or the activity */
  name: string
  reason: string
}

/** The end of the simulation cuts what waits. */
class Cut extends Error {}

/**
 * Runs workflows and their activities on the clock of a simulation, as Temporal would: one run of an id at a time,
 * inputs and results pass as JSON, activities are tried again by their policies and with the interceptor of the worker.
 * Not simulated: time-outs, signals and histories.
 */
export function createSimulatedTemporal(deps: {
  clock: FakeClock
  simulation: Simulation
  workflows: Record<string, Workflow>
  activities: Record<string, Activity>
}) {
  const { clock, simulation, workflows, activities } = deps
  const active = new Set<string>()
  const runs = new Map<string, number>()
  const failures: Failed[] = []
  const retried: Failed[] = []
  const warnings: Failed[] = []
  const isOver = () => simulation.ending.aborted
  const note = (list: Failed[], name: string, reason: string) => {
    if (!isOver()) list.push({ at: new Date(clock.now()).toISOString(), name, reason })
  }

  async function wait(ms: number): Promise<void> {
    await simulation.wait(ms)
    if (isOver()) throw new Cut()
  }

  async function attempt(
    name: string,
    given: { input: unknown; attempt: number; workflow: string; id: string },
  ) {
    const { input, workflow, id } = given
    const found = activities[name]
    if (!found) throw new Error(`there is no activity ${name}`)
    const context = {
      info: {
        activityType: name,
        workflowType: workflow,
        attempt: given.attempt,
        workflowExecution: { workflowId: id, runId: id },
      },
      heartbeat: () => {},
    } as unknown as Context
    const { execute } = activityInterceptor(context).inbound!
    return await asyncLocalStorage.run(context, () =>
      execute!({ args: [input], headers: {} }, ({ args }) => found(args[0])),
    )
  }

  function hostOf(workflow: string, id: string) {
    async function activity(name: string, given: unknown, options: ActivityOptions): Promise<unknown> {
      const input = asJson(given)
      const { initialInterval = '1s', backoffCoefficient = 2, maximumInterval = '100s' } = options.retry ?? {}
      const { maximumAttempts = Infinity, nonRetryableErrorTypes = [] } = options.retry ?? {}
      for (let tries = 1; ; tries++) {
        if (isOver()) throw new Cut()
        try {
          const result = simulation.within(`${workflow} ${name}`, () =>
            attempt(name, { input, attempt: tries, workflow, id }),
          )
          return asJson(await result)
        } catch (error) {
          if (isOver()) throw new Cut()
          const failure = ensureApplicationFailure(error)
          const isFinal =
            failure.nonRetryable ||
            nonRetryableErrorTypes.includes(failure.type ?? '') ||
            tries >= maximumAttempts
          if (isFinal)
            throw new ActivityFailure(
              'Activity task failed',
              name,
              '1',
              'MAXIMUM_ATTEMPTS_REACHED',
              'day',
              failure,
            )
          note(retried, name, failure.message)
          const backOff = msOf(initialInterval) * backoffCoefficient ** (tries - 1)
          const pause = failure.nextRetryDelay ?? Math.min(msOf(maximumInterval), backOff)
          await wait(msOf(pause))
        }
      }
    }
    return {
      activity,
      child: (name: string, { workflowId, args = [] }: ChildOptions) =>
        simulation.within(workflowId, () => run(name, { id: workflowId, args })),
      sleep: (duration: number | string) => wait(msOf(duration)),
      warn: (message: string, fields: object) =>
        note(warnings, workflow, `${message} ${JSON.stringify(fields)}`),
    }
  }

  /** Runs a workflow to its end. Throws what it throws, and if one with this id runs. */
  async function run(
    workflow: string,
    { id, args }: { id: string; args: readonly unknown[] },
  ): Promise<unknown> {
    const found = workflows[workflow]
    if (!found) throw new Error(`there is no workflow ${workflow}`)
    if (active.has(id)) throw new Error(`${id} runs already`)
    active.add(id)
    runs.set(workflow, (runs.get(workflow) ?? 0) + 1)
    try {
      for (let given = args; ;)
        try {
          const own = given.map(asJson) as never[]
          return asJson(await workflowHost.run(hostOf(workflow, id), () => found(...own)))
        } catch (error) {
          if (!(error instanceof ContinueAsNew)) throw error
          given = error.args
        }
    } catch (error) {
      note(failures, workflow, `${id}: ${reasonOf(error)}`)
      throw error
    } finally {
      active.delete(id)
    }
  }

  return { run, isRunning: (id: string) => active.has(id), isOver, wait, runs, failures, retried, warnings }
}

export type SimulatedTemporal = ReturnType<typeof createSimulatedTemporal>

const UNITS: Record<string, number> = { s: 1_000, m: 60_000 }

/** Milliseconds of a duration as policies give it. */
function msOf(duration: string | number): number {
  if (typeof duration === 'number') return duration
  const [, count, unit] = /^(\d+)(s|m)$/.exec(duration) ?? []
  if (!count) throw new Error(`${duration} is no duration`)
  return Number(count) * UNITS[unit!]!
}

const asJson = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? `, because ${reasonOf(error.cause)}` : ''
  return `${String(error)}${cause}`
}
