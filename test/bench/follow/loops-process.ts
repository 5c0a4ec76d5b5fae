import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import type { LoopSpec } from '../../../activities/area.ts'
import { activityInterceptor } from '../../../activities/activity-interceptor.ts'
import { readWorkerConfig } from '../../../activities/config.ts'
import { createFollowWorker, followLoops, runTogether } from '../../../activities/follow-worker.ts'
import { createHttpClient } from '../../../activities/http.ts'
import { createNodes } from '../../../activities/nodes/create-nodes.ts'
import { createSourceGate } from '../../../activities/source-gate.ts'
import { startLoops } from '../../../activities/start-loops.ts'
import { createUsageCounts } from '../../../activities/usage-counts.ts'
import { workflowBundle } from '../../../activities/workflow-bundle.ts'
import { openDb } from '../../../db/connect.ts'
import { TASK_QUEUE } from '../../../db/values/task-queues.ts'
import { memoryNode } from '../../follow/memory-node.ts'
import { createMemoryChain } from '../../upstreams/nodes/chain.ts'
import { answerParent } from './child.ts'

// `loops-process.ts DATABASE TEMPORAL NETWORKS`: a worker that keeps the loops of followers and of derived wallets,
// and a chain for each network, given as `id=chainId,id=chainId`.

export type LoopsTask =
  /** Starts the loops of all networks together, as a worker does. */
  | { task: 'derive' }
  /** Starts those of each network. Resolves when each is at its head. */
  | { task: 'follow' }
  /** Mines blocks on every chain. Resolves when each network is at its head. */
  | { task: 'mine'; blockMs: number; forMs: number }

/** The first blocks: deeper than a reorg. */
const OLD_BLOCKS = 80

const [databaseUrl, temporalAddress, networks] = process.argv.slice(2) as [string, string, string]
const chains = new Map(
  networks.split(',').map((one) => {
    const [id, chainId] = one.split('=') as [string, string]
    const startSeconds = Math.floor(Date.now() / 1_000) - 12 * OLD_BLOCKS
    return [id, createMemoryChain({ chainId: Number(chainId), startSeconds })]
  }),
)
const env: Record<string, string> = {
  INGEST_DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: temporalAddress,
  SOURCES: 'sandbox',
  FOLLOW_NETWORKS: [...chains.keys()].join(','),
}
const servers: { stop: () => Promise<void> }[] = []
for (const [id, chain] of chains) {
  for (let n = 0; n < OLD_BLOCKS; n++) chain.mine()
  const server = await memoryNode(chain).serve()
  servers.push(server)
  env[`RPC_URL_${id.toUpperCase().replaceAll('-', '_')}`] = server.url
}
const config = readWorkerConfig(env)

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const { db, pool, close } = openDb({ url: databaseUrl, maxConnections: 10, applicationName: 'bench' })
/** Not of the worker's connections, which may all be busy. */
const looks = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'bench' })
const connection = await NativeConnection.connect({ address: temporalAddress })
const http = createHttpClient({
  gate: createSourceGate({ db, limits: config.sources }),
  sources: config.sources,
  random: Math.random,
})
const deps = {
  pool,
  http,
  now: () => new Date(),
  config,
  log: pino({ level: 'error' }),
  heartbeat: () => {},
}
const served = { connection, namespace: 'default', interceptors: { activity: [activityInterceptor] } }
const workers = [
  await Worker.create({
    ...served,
    taskQueue: TASK_QUEUE,
    workflowBundle: await workflowBundle(null, new DefaultLogger('ERROR')),
  }),
  await createFollowWorker(
    { ...deps, ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }) },
    served,
  ),
]
const running = runTogether(workers)
process.send!({})

answerParent(
  async (message: LoopsTask): Promise<object> => {
    if (message.task === 'mine') await mine(message)
    else await start(({ networkId }) => (networkId === undefined) === (message.task === 'derive'))
    if (message.task !== 'derive') await reachHeads()
    return {}
  },
  async () => {
    for (const worker of workers) worker.shutdown()
    await running
    await Promise.all([connection.close(), http.close(), close(), looks.close()])
    await Promise.all(servers.map((server) => server.stop()))
  },
)

async function start(isWanted: (loop: LoopSpec) => boolean): Promise<void> {
  const loops = followLoops(config.followedNetworks).filter(isWanted)
  await startLoops({ client: new Client({ connection }), taskQueue: TASK_QUEUE, loops, known: new Set() })
}

async function mine({ blockMs, forMs }: Extract<LoopsTask, { task: 'mine' }>): Promise<void> {
  const beganMs = performance.now()
  for (let n = 1; n * blockMs <= forMs; n++) {
    await sleep(Math.max(0, beganMs + n * blockMs - performance.now()))
    for (const chain of chains.values()) chain.mine()
  }
}

async function reachHeads(): Promise<void> {
  for (;;) {
    const { rows } = await looks.pool.query<{ network_id: string; cursor: number }>(
      'select network_id, cursor_block::integer as cursor from network_follows',
    )
    const cursors = Object.fromEntries(rows.map((row) => [row.network_id, row.cursor]))
    if ([...chains].every(([id, chain]) => cursors[id] === chain.head())) return
    await sleep(200)
  }
}
