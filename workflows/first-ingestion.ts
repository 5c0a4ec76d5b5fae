import { executeChild, log, proxyActivities } from '@temporalio/workflow'
import type { FirstIngestionActivities, FirstRun } from '../activities/first-ingestion.ts'
import { firstRunId } from '../db/values/first-run.ts'
import { quickCall } from './policies.ts'
import { whileChanged } from './while-changed.ts'

// These only call Temporal, so they are retried without limit.
const { listFirstRuns, openSchedule } = proxyActivities<FirstIngestionActivities>({
  ...quickCall,
  retry: { maximumInterval: '10s' },
})

/**
 * Runs each waiting schedule once, after those in its `after`, and opens the schedule when that run has
 * ended. A failed run opens it too, because its interval repeats it. Only one first ingestion runs, under the
 * id `first-ingestion`; a worker that starts meanwhile signals it, because it may have added schedules.
 */
export async function firstIngestion(): Promise<{ completed: string[]; failed: string[] }> {
  const completed: string[] = []
  const failed: string[] = []

  async function runOnce({ id, workflow, input, attributes, priority }: FirstRun): Promise<void> {
    try {
      await executeChild(workflow, {
        workflowId: firstRunId(id),
        args: input === null ? [] : [input],
        // Absent in histories of runs that began before there were any.
        ...(attributes && { typedSearchAttributes: attributes }),
        ...(priority && { priority }),
      })
      completed.push(id)
    } catch (error) {
      log.warn('a first run failed', { schedule: id, reason: String(error) })
      failed.push(id)
    }
    await openSchedule({ id })
  }

  await whileChanged(async () => {
    const runs = new Map((await listFirstRuns()).map((run) => [run.id, run]))
    const ends = new Map<string, Promise<void>>()
    function ended(run: FirstRun): Promise<void> {
      const before = run.after.flatMap((id) => runs.get(id) ?? [])
      const end = ends.get(run.id) ?? Promise.all(before.map(ended)).then(() => runOnce(run))
      ends.set(run.id, end)
      return end
    }
    await Promise.all([...runs.values()].map(ended))
  })
  return { completed, failed }
}
