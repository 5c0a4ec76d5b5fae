import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { Client } from '@temporalio/client'
import { NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { type Logger, pino, stdSerializers } from 'pino'
import { openDb } from '../db/connect.ts'
import { markActiveNetworks } from '../db/sources/write.ts'
import { activityInterceptor } from './activity-interceptor.ts'
import { activeNetworks } from './active-networks.ts'
import { AREAS } from './areas.ts'
import { readWorkerConfig, type WorkerConfig } from './config.ts'
import { dispatchOutbox } from './dispatch-outbox.ts'
import { ensureSchedules } from './ensure-schedules.ts'
import { exportSchedule } from './export-schedule.ts'
import { createHttpClient } from './http.ts'
import { createActivities } from './index.ts'
import { recordFixtures } from './record-fixture.ts'
import { createSourceGate } from './source-gate.ts'
import { workflowBundle } from './workflow-bundle.ts'

const TASK_QUEUE = 'sluice'

const config = readWorkerConfig(process.env)
const log = pino({
  ...{ level: config.logLevel, base: { process: 'worker' } },
  // Temporal's own lines give the failure of an activity by this name.
  serializers: { error: stdSerializers.err },
})
const logger = temporalLogger(log)
Runtime.install({
  shutdownSignals: ['SIGINT', 'SIGTERM'],
  telemetryOptions: { logging: { forward: {}, filter: 'WARN' } },
  logger,
})

const database = openDb({
  url: config.ingestDatabaseUrl,
  maxConnections: 10,
  applicationName: 'sluice-worker',
})
const gate = createSourceGate({ db: database.db, limits: config.sources })
const http = createHttpClient({
  gate,
  sources: config.sources,
  random: Math.random,
  ...(config.recordFolder !== null && { record: recordFixtures(config.recordFolder) }),
})
const connection = await connect(config)
const client = new Client({ connection, namespace: config.temporalNamespace })
const worker = await Worker.create({
  connection,
  namespace: config.temporalNamespace,
  taskQueue: TASK_QUEUE,
  workflowBundle: await workflowBundle(config.bundleFolder, logger),
  activities: createActivities({
    ...database,
    http,
    now: () => new Date(),
    config,
    log,
    heartbeat: () => Context.current().heartbeat(),
  }),
  interceptors: { activity: [activityInterceptor] },
  maxConcurrentActivityTaskExecutions: 16,
  maxCachedWorkflows: 100,
  // An activity may finish its transaction; after that it is cut off and runs again later.
  shutdownGraceTime: '5s',
  shutdownForceTime: '10s',
})
await markActiveNetworks(database.db, activeNetworks(config))
const schedules = AREAS.flatMap((area) => area.schedules)
if (config.exportFolder !== null) schedules.push(exportSchedule)
await ensureSchedules({ client, taskQueue: TASK_QUEUE, schedules })

const ended = new AbortController()
const dispatching = dispatchOutbox({
  pool: database.pool,
  client,
  taskQueue: TASK_QUEUE,
  log,
  signal: ended.signal,
})
const running = worker.run()
console.log('worker ready')
try {
  await running
} finally {
  ended.abort()
  await dispatching
  await http.close()
  await database.close()
  await connection.close()
}

/** Temporal may come up later than the worker. */
async function connect({ temporalAddress }: WorkerConfig): Promise<NativeConnection> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await NativeConnection.connect({ address: temporalAddress })
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'Temporal does not answer yet',
      )
      await sleep(pauseMs)
    }
  }
}

function temporalLogger(target: Logger) {
  const write = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: object) =>
    target[level]({ ...meta }, message)
  return {
    log: (level: string, message: string, meta?: object) =>
      write(level.toLowerCase() as 'info')(message, meta),
    trace: write('trace'),
    debug: write('debug'),
    info: write('debug'),
    warn: write('warn'),
    error: write('error'),
  }
}
