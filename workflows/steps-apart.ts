import { ApplicationFailure, isCancellation, log, rootCause } from '@temporalio/workflow'

/**
 * Runs steps that read different sources, one after the other: what one source refuses is no reason to lose the
 * others. Fails after the last step, with the first reason, if any failed.
 */
export async function stepsApart(steps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failed: string[] = []
  const all = Object.entries(steps)
  for (const [step, work] of all)
    try {
      await work()
    } catch (error) {
      if (isCancellation(error)) throw error
      const reason = rootCause(error) ?? String(error)
      failed.push(`${step}: ${reason}`)
      log.warn('a step failed and waits for the next run', { step, reason })
    }
  if (failed.length > 0)
    throw ApplicationFailure.nonRetryable(`${failed.length} of ${all.length} steps failed. ${failed[0]}`)
}
