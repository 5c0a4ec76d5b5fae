import type { Client } from '@temporalio/client'
import { APART, FOLLOW_QUEUE, queueApart, TASK_QUEUE } from '../../db/values/task-queues.ts'

export interface TaskQueueState {
  name: string
  /** work that no worker has taken yet, as the server estimates it */
  waiting: number
  /** how long the oldest of it has waited; null: nothing waits */
  oldestSeconds: number | null
  /** worker processes that asked for work in the last minutes */
  workers: number
}

/** Of temporal.api.enums.v1.TaskQueueType. */
const [WORKFLOWS, ACTIVITIES] = [1, 2]

/** Reads how much waits in the task queues of the workflows on `taskQueue` and of followers, and who takes it. */
export async function readTaskQueues(
  { workflowService, options }: Client,
  taskQueue = TASK_QUEUE,
): Promise<TaskQueueState[]> {
  const queues = [
    { name: taskQueue, types: [WORKFLOWS, ACTIVITIES] },
    ...APART.map((apart) => ({ name: queueApart(taskQueue, apart), types: [ACTIVITIES] })),
    { name: FOLLOW_QUEUE, types: [ACTIVITIES] },
  ]
  return await Promise.all(
    queues.map(async ({ name, types }) => {
      const answers = await Promise.all(
        types.map((taskQueueType) =>
          workflowService.describeTaskQueue({
            namespace: options.namespace,
            taskQueue: { name },
            taskQueueType,
            reportStats: true,
          }),
        ),
      )
      const backlogs = answers.flatMap(({ stats }) => {
        const count = Number(stats?.approximateBacklogCount ?? 0)
        return count > 0 ? [{ count, seconds: Number(stats?.approximateBacklogAge?.seconds ?? 0) }] : []
      })
      const workers = new Set(
        answers.flatMap(({ pollers }) => pollers?.map(({ identity }) => identity) ?? []),
      )
      return {
        name,
        waiting: backlogs.reduce((sum, { count }) => sum + count, 0),
        oldestSeconds: backlogs.length === 0 ? null : Math.max(...backlogs.map(({ seconds }) => seconds)),
        workers: workers.size,
      }
    }),
  )
}
