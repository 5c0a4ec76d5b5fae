import { type Client, type ScheduleDescription, WorkflowIdConflictPolicy } from '@temporalio/client'
import { FIRST_INGESTION, WAITS_FOR_FIRST_RUN } from '../db/values/first-run.ts'
import type { ScheduleSpec } from './area.ts'

/** A schedule whose first run has not ended. */
export interface FirstRun {
  id: string
  workflow: string
  input: unknown
  /** Schedules whose first runs end before. */
  after: readonly string[]
}

interface FirstIngestionDeps {
  client: Client
  schedules: readonly ScheduleSpec[]
}

/** How far the first ingestion is, is the state of the schedules themselves: those that still wait. */
export function createFirstIngestionActivities({ client, schedules }: FirstIngestionDeps) {
  return {
    async listFirstRuns(): Promise<FirstRun[]> {
      const waiting: FirstRun[] = []
      for (const { id, workflow, input, after = [] } of schedules)
        if (waits(await client.schedule.getHandle(id).describe()))
          waiting.push({ id, workflow, input, after })
      return waiting
    },

    /** What the operator has paused meanwhile stays so. */
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

/** Starts the first ingestion, which ends at once where no schedule waits; one that runs looks once more. */
export async function startFirstIngestion(deps: { client: Client; taskQueue: string }): Promise<void> {
  await deps.client.workflow.signalWithStart('firstIngestion', {
    workflowId: FIRST_INGESTION,
    taskQueue: deps.taskQueue,
    signal: 'changed',
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    retry: { initialInterval: '10s', maximumInterval: '5m' },
  })
}
