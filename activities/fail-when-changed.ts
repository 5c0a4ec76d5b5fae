import type { WorkerOptions } from '@temporalio/worker'
import type { ScheduleSpec } from './area.ts'

/**
 * A run of a schedule that older code began and that this code would do otherwise fails, and the next one begins anew:
 * else it would be tried for ever, and its schedule would start no other beside it.
 */
export function failWhenChanged(
  schedules: readonly Pick<ScheduleSpec, 'workflow'>[],
): NonNullable<WorkerOptions['workflowFailureErrorTypes']> {
  const types = ['firstIngestion', ...schedules.map(({ workflow }) => workflow)]
  return { '*': [], ...Object.fromEntries(types.map((type) => [type, ['NondeterminismError']])) }
}
