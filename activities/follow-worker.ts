import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { Worker } from '@temporalio/worker'
import type { WorkerOptions } from '@temporalio/worker'
import type { ActivityDeps, NodeDeps } from './deps.ts'
import { FOLLOW_QUEUE } from '../db/values/task-queues.ts'
import { createDeriveActivities, createFollowActivities } from './loops.ts'
import type { LoopSpec } from './area.ts'
import type { WorkerConfig } from './ingest-config.ts'
import type { Nodes } from './nodes/create-nodes.ts'

/** Activities that find out that they have nothing to follow need places too. */
const SPARE_PLACES = 4
/** Loops that derive touched wallets. While one of them waits for a node, the other one works. */
const DERIVERS = 2

/**
 * A worker for followers and derivers only: their activities take an hour, and must not take the places of
 * others. Without a network it ends what an earlier setting began.
 */
export async function createFollowWorker(
  deps: Pick<ActivityDeps, 'pool' | 'http' | 'log' | 'now'> & { config: WorkerConfig } & NodeDeps &
    Pick<Nodes, 'poolOf'>,
  options: Pick<WorkerOptions, 'connection' | 'namespace' | 'interceptors'>,
): Promise<Worker> {
  const ending = () => Context.current().cancellationSignal
  const wait = (ms: number) => sleep(ms, undefined, { signal: ending() }).catch(() => {})
  const all = { ...deps, ending, wait }
  return await Worker.create({
    ...options,
    taskQueue: FOLLOW_QUEUE,
    activities: { ...createFollowActivities(all), ...createDeriveActivities(all) },
    maxConcurrentActivityTaskExecutions: deps.config.followedNetworks.length + DERIVERS + SPARE_PLACES,
    // A follower ends after the batch at hand, so it is told at once.
    shutdownGraceTime: 0,
    shutdownForceTime: '10s',
  })
}

/** The loops that keep the heads of networks followed and their touched wallets derived. */
export function followLoops(networks: readonly string[]): LoopSpec[] {
  const lanes = networks.length > 0 ? DERIVERS : 0
  return [
    ...networks.map((networkId) => ({
      id: `follow:${networkId}`,
      workflow: 'followNetwork',
      input: { networkId },
      networkId,
    })),
    ...Array.from({ length: lanes }, (_, lane) => ({
      id: `derive-wallets:${lane}`,
      workflow: 'deriveWallets',
      input: { lane, lanes },
    })),
  ]
}

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
