import { Worker, type WorkerOptions } from '@temporalio/worker'
import { APART, type Apart, PLACES, queueApart } from '../db/values/task-queues.ts'

/** Questions for work that wait at the server. Ten, as by default, would be connections that idle. */
const POLLS = 2

/**
 * Workers for the queues of `APART`, each with places of its own: what reads history, derives or exports never takes
 * a place of what somebody waits for.
 */
export async function createQueueWorkers({
  taskQueue,
  places = PLACES,
  ...options
}: WorkerOptions & { places?: Readonly<Record<Apart, number>> }): Promise<Worker[]> {
  return await Promise.all(
    APART.map((apart) =>
      Worker.create({
        ...options,
        taskQueue: queueApart(taskQueue!, apart),
        maxConcurrentActivityTaskExecutions: places[apart],
        maxConcurrentActivityTaskPolls: Math.min(POLLS, places[apart]),
      }),
    ),
  )
}
