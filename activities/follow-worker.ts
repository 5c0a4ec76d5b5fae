import { Context } from '@temporalio/activity'
import { Worker } from '@temporalio/worker'
import type { WorkerOptions } from '@temporalio/worker'
import type pg from 'pg'
import { FOLLOW_QUEUE } from '../db/values/task-queues.ts'
import { createFollowActivities } from './loops.ts'
import type { LoopSpec } from './area.ts'
import type { WorkerConfig } from './ingest-config.ts'
import type { Nodes } from './nodes/create-nodes.ts'

/** Activities that find out that they have nothing to follow need places too. */
const SPARE_PLACES = 4

/**
 * A worker for followers only: their activities take an hour, and must not take the places of others. Without
 * a network it ends what an earlier setting began.
 */
export async function createFollowWorker(
  { pool, config, poolOf }: { pool: pg.Pool; config: WorkerConfig } & Pick<Nodes, 'poolOf'>,
  options: Pick<WorkerOptions, 'connection' | 'namespace' | 'interceptors'>,
): Promise<Worker> {
  return await Worker.create({
    ...options,
    taskQueue: FOLLOW_QUEUE,
    activities: createFollowActivities({
      pool,
      config,
      poolOf,
      now: () => new Date(),
      ending: () => Context.current().cancellationSignal,
    }),
    maxConcurrentActivityTaskExecutions: config.followedNetworks.length + SPARE_PLACES,
    // A follower ends after the batch at hand, so it is told at once.
    shutdownGraceTime: 0,
    shutdownForceTime: '10s',
  })
}

/** The loops that keep the heads of networks followed. */
export const followLoops = (networks: readonly string[]): LoopSpec[] =>
  networks.map((networkId) => ({
    id: `follow:${networkId}`,
    workflow: 'followNetwork',
    input: { networkId },
  }))

/** Runs workers until all have ended. When one ends, the others end too. */
export async function runTogether(workers: readonly Worker[]): Promise<void> {
  const ends = await Promise.allSettled(
    workers.map(async (one) => {
      try {
        await one.run()
      } finally {
        for (const other of workers) if (other.getState() === 'RUNNING') other.shutdown()
      }
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
