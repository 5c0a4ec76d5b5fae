import {
  type ActivityInterfaceFor,
  type ActivityOptions,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import { type Apart, queueApart } from '../db/values/task-queues.ts'

/**
 * Activities that have places of their own, so that they never take those of what somebody waits for. Their queue is
 * named after that of the workflow, which is known only once it runs.
 */
export function activitiesApart<A>(apart: Apart, options: ActivityOptions): ActivityInterfaceFor<A> {
  const call =
    (name: string) =>
    (...input: unknown[]) => {
      const taskQueue = queueApart(workflowInfo().taskQueue, apart)
      return proxyActivities({ ...options, taskQueue })[name]!(...input)
    }
  return new Proxy({}, { get: (_, name) => call(String(name)) }) as ActivityInterfaceFor<A>
}
