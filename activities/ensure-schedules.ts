import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { ScheduleSpec } from './area.ts'

interface EnsureOptions {
  client: Client
  taskQueue: string
  schedules: readonly ScheduleSpec[]
}

/**
 * Creates the schedules that are missing, and lets them run at once or a little later; brings the others up to date. A
 * schedule that the operator paused stays paused. A run that is still going when the next is due is not doubled.
 */
export async function ensureSchedules({ client, taskQueue, schedules }: EnsureOptions): Promise<void> {
  for (const schedule of schedules) {
    const definition = definitionOf(schedule, taskQueue)
    try {
      const laterS = schedule.firstRunAfterSeconds
      const created = await client.schedule.create({
        scheduleId: schedule.id,
        ...definition,
        state: { triggerImmediately: laterS === undefined },
      })
      // Where this comes to nothing, it runs when its interval says.
      if (laterS !== undefined)
        setTimeout(() => void created.trigger().catch(() => {}), laterS * 1000).unref()
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
      await client.schedule
        .getHandle(schedule.id)
        .update((previous) => ({ ...definition, state: previous.state }))
    }
  }
}

function definitionOf({ id, workflow, everySeconds, jitterSeconds, input }: ScheduleSpec, taskQueue: string) {
  return {
    spec: { intervals: [{ every: everySeconds * 1000 }], jitter: jitterSeconds * 1000 },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: id,
      taskQueue,
      args: input === null ? [] : [input],
    },
    // After an outage one missed run is made up for, not all of them.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everySeconds * 1000 },
  }
}
