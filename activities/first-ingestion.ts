import { type Client, type ScheduleDescription, WorkflowIdConflictPolicy } from '@temporalio/client'
import { FIRST_INGESTION, WAITS_FOR_FIRST_RUN } from '../db/values/first-run.ts'
import type { RunAttributePair } from '../db/values/run-attributes.ts'
import type { ScheduleSpec } from './area.ts'
import type { KnownAttributes } from './run-attributes.ts'
import { type RunOptions, scheduledRun } from './run-options.ts'

/** A schedule that has not completed its first run. */
export interface FirstRun {
  id: string
  workflow: string
  input: unknown
  /** Schedules whose first runs must end before. */
  after: readonly string[]
  /** Of its run. Absent: as those of any run. */
  attributes?: RunAttributePair[]
  priority?: RunOptions['priority']
}

interface FirstIngestionDeps {
  client: Client
  schedules: readonly ScheduleSpec[]
  known: KnownAttributes
}

/**
 * The progress of the first ingestion is stored in the schedules: those still waiting for their first run are
 * paused.
 */
export function createFirstIngestionActivities({ client, schedules, known }: FirstIngestionDeps) {
  return {
    async listFirstRuns(): Promise<FirstRun[]> {
      const waiting: FirstRun[] = []
      for (const schedule of schedules) {
        const { id, workflow, input, after = [] } = schedule
        if (!waits(await client.schedule.getHandle(id).describe())) continue
        const { typedSearchAttributes: attributes, priority } = scheduledRun(schedule, known)
        waiting.push({ id, workflow, input, after, ...(attributes && { attributes }), priority })
      }
      return waiting
    },

    /** A schedule that the operator has paused meanwhile stays paused. */
    async openSchedule({ id }: { id: string }): Promise<void> {
      const handle = client.schedule.getHandle(id)
      if (waits(await handle.describe())) await handle.unpause('its first run has ended')
    },
  }
}

export type FirstIngestionActivities = ReturnType<typeof createFirstIngestionActivities>

function waits({ state }: ScheduleDescription): boolean {
  return state.paused && state.note === WAITS_FOR_FIRST_RUN
}

/**
 * Starts the first ingestion, which ends at once if no schedule waits. A running one checks the schedules
 * again.
 */
export async function startFirstIngestion(deps: { client: Client; taskQueue: string }): Promise<void> {
  await deps.client.workflow.signalWithStart('firstIngestion', {
    workflowId: FIRST_INGESTION,
    taskQueue: deps.taskQueue,
    signal: 'changed',
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    retry: { initialInterval: '10s', maximumInterval: '5m' },
  })
}
