import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import { WAITS_FOR_FIRST_RUN } from '../db/values/first-run.ts'
import type { ScheduleSpec } from './area.ts'
import type { KnownAttributes } from './run-attributes.ts'
import { scheduledRun } from './run-options.ts'

interface EnsureOptions {
  client: Client
  taskQueue: string
  schedules: readonly ScheduleSpec[]
  known: KnownAttributes
}

/**
 * Creates missing schedules, paused until the first ingestion has run them once, and updates the others. A
 * schedule that the operator paused stays paused. If a run is still going when the next is due, the next is
 * skipped.
 */
export async function ensureSchedules({ schedules, ...options }: EnsureOptions): Promise<void> {
  await Promise.all(schedules.map((schedule) => ensureSchedule(schedule, options)))
}

async function ensureSchedule(
  schedule: ScheduleSpec,
  { client, ...options }: Omit<EnsureOptions, 'schedules'>,
): Promise<void> {
  const definition = definitionOf(schedule, options)
  try {
    await client.schedule.create({
      scheduleId: schedule.id,
      ...definition,
      state: { paused: true, note: WAITS_FOR_FIRST_RUN },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await client.schedule
      .getHandle(schedule.id)
      .update((previous) => ({ ...definition, state: previous.state }))
  }
}

function definitionOf(
  schedule: ScheduleSpec,
  { taskQueue, known }: Pick<EnsureOptions, 'taskQueue' | 'known'>,
) {
  const { id, workflow, everySeconds, jitterSeconds, input } = schedule
  return {
    spec: { intervals: [{ every: everySeconds * 1000 }], jitter: jitterSeconds * 1000 },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: id,
      taskQueue,
      args: input === null ? [] : [input],
      ...scheduledRun(schedule, known),
    },
    // After an outage, catch up on one missed run, not on all of them.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everySeconds * 1000 },
  }
}
