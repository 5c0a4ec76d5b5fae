import type { WorkerOptions } from '@temporalio/worker'
import type { ScheduleSpec } from './area.ts'

/**
 * A scheduled run that older code started, and that this code would continue differently, fails, and the next
 * run starts over. Otherwise Temporal would retry it for ever, and its schedule would skip all later runs.
 */
export function failWhenChanged(
  schedules: readonly Pick<ScheduleSpec, 'workflow'>[],
): NonNullable<WorkerOptions['workflowFailureErrorTypes']> {
  const types = ['firstIngestion', ...schedules.map(({ workflow }) => workflow)]
  return { '*': [], ...Object.fromEntries(types.map((type) => [type, ['NondeterminismError']])) }
}
