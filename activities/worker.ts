import { setTimeout as sleep } from 'node:timers/promises'
import { asyncLocalStorage, Context } from '@temporalio/activity'
import { Client } from '@temporalio/client'
import { NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { Logger } from 'pino'
import { createSchemaCheck } from '../db/check-schema.ts'
import { openDb } from '../db/connect.ts'
import { endOnNewerSchema } from '../db/refuse-newer-schema.ts'
import { storeSourceSettings } from '../db/sources/settings.ts'
import { markActiveNetworks } from '../db/sources/write.ts'
import { TASK_QUEUE } from '../db/values/task-queues.ts'
import { configured } from '../ops/settings/configured.ts'
import { readTelemetryConfig } from '../ops/telemetry/config.ts'
import { measurePools } from '../ops/telemetry/pool-metrics.ts'
import { startTelemetry } from '../ops/telemetry/start-telemetry.ts'
import { activityInterceptor } from './activity-interceptor.ts'
import { activeNetworks } from './active-networks.ts'
import { AREAS } from './all-areas.ts'
import { readWorkerConfig } from './config.ts'
import type { WorkerConfig } from './ingest-config.ts'
import { dispatchOutbox } from './dispatch-outbox.ts'
import { watchAnswers } from './drift/watch-answers.ts'
import { ensureSchedules } from './ensure-schedules.ts'
import { exportSchedule } from './export-schedule.ts'
import { failWhenChanged } from './fail-when-changed.ts'
import { createFirstIngestionActivities, startFirstIngestion } from './first-ingestion.ts'
import { createFollowWorker, followLoops, runTogether } from './follow-worker.ts'
import { startLoops } from './start-loops.ts'
import { createHttpClient } from './http.ts'
import { createReceivers, heartbeat } from './incidents/receivers.ts'
import { watchIncidents } from './incidents/watch-incidents.ts'
import { createActivities } from './create-activities.ts'
import { measureIngest } from './measure-ingest.ts'
import { createNodes } from './nodes/create-nodes.ts'
import { createNodeNotes } from './nodes/node-notes.ts'
import { createQueueWorkers } from './queue-workers.ts'
import { recordFixtures } from './record-fixture.ts'
import { declareAttributes } from './run-attributes.ts'
import { asOrdered, keepAllowances, sourceAllowances } from './source-allowances.ts'
import { createSourceGate } from './source-gate.ts'
import { allSourceSettings, nodeSettings, unitsOf } from './source-settings.ts'
import { createSourceOrders } from './source-orders.ts'
import { createSourceUsage } from './source-usage.ts'
import { temporalMetrics } from './temporal-metrics.ts'
import { traceActivities, traceStarts } from './trace-activities.ts'
import { ofVersion, useFirstVersion } from './worker-version.ts'
import { workflowBundle } from './workflow-bundle.ts'

const SHUTDOWN_SIGNALS = ['SIGINT', 'SIGTERM'] as const

const { config, telemetryConfig } = configured({
  config: () => readWorkerConfig(process.env),
  telemetryConfig: () => readTelemetryConfig(process.env),
})
const telemetry = startTelemetry({
  name: 'worker',
  logLevel: config.logLevel,
  config: telemetryConfig,
  logContext: runningActivity,
})
const { logger: log, tracer, registry } = telemetry
const logger = temporalLogger(log)
const temporalOwn = registry && (await temporalMetrics())
Runtime.install({
  shutdownSignals: [...SHUTDOWN_SIGNALS],
  telemetryOptions: { logging: { forward: {}, filter: 'WARN' }, ...temporalOwn?.options },
  logger,
})

const database = openDb({
  url: config.ingestDatabaseUrl,
  maxConnections: 10,
  applicationName: 'sluice-worker',
  // Transactions of the worker may take long, but without this limit a silent database would block them for
  // ever.
  silence: { patienceMs: 5_000, deadlineMs: 5_000 },
  tracer,
})
await endOnNewerSchema(database.pool, log)
const now = () => new Date()
// Followers and all others spend the same allowances.
const usage = createSourceUsage({ pool: database.pool, now, log })
const sources = [...allSourceSettings(process.env), ...nodeSettings(config)]
const orders = createSourceOrders(database)
const gate = keepAllowances(createSourceGate({ db: database.db, limits: config.sources, orders }), {
  allowances: sourceAllowances(sources),
  orders,
  unitsOf,
  usage,
  now,
})
const watch = watchAnswers({ pool: database.pool, now, log })
const http = createHttpClient({
  gate,
  sources: config.sources,
  random: Math.random,
  tracer,
  watch: watch.note,
  ...(config.recordFolder !== null && { record: recordFixtures(config.recordFolder) }),
})
const connection = await connect(config)
const client = new Client({
  connection,
  namespace: config.temporalNamespace,
  ...(tracer && { interceptors: traceStarts(tracer) }),
})
const schedules = AREAS.flatMap((area) => area.schedules)
// The first export runs after all other first runs.
if (config.exportTarget !== null) schedules.push({ ...exportSchedule, after: schedules.map(({ id }) => id) })
// Temporal cancels activities later than this, after the time that they get to finish.
const ending = new AbortController()
for (const signal of SHUTDOWN_SIGNALS) process.once(signal, () => ending.abort())
const served = {
  connection,
  namespace: config.temporalNamespace,
  interceptors: { activity: [...(tracer ? [traceActivities(tracer)] : []), activityInterceptor] },
}
const activityDeps = {
  ...database,
  http,
  now,
  config,
  log,
  heartbeat: () => Context.current().heartbeat(),
  ending: ending.signal,
}
const notes = createNodeNotes({ pool: database.pool, now, log })
const nodes = createNodes({ ...activityDeps, usage, orders, notes })
// A server takes some seconds until it knows new attributes.
const [known, bundle] = await Promise.all([
  declareAttributes(client),
  workflowBundle(config.bundleFolder, logger),
])
const activities = createActivities(activityDeps, nodes)
const queued = {
  ...served,
  taskQueue: TASK_QUEUE,
  // Time for an activity to finish its transaction. After that it is cancelled and runs again later.
  shutdownGraceTime: '5s',
  shutdownForceTime: '10s',
}
const workers = [
  await Worker.create({
    ...queued,
    ...ofVersion(config.workerVersion),
    workflowBundle: bundle,
    activities: { ...activities, ...createFirstIngestionActivities({ client, schedules, known }) },
    workflowFailureErrorTypes: failWhenChanged(schedules),
    maxConcurrentActivityTaskExecutions: config.workerPlaces.main,
    maxCachedWorkflows: 100,
  }),
  ...(await createQueueWorkers({ ...queued, places: config.workerPlaces, activities })),
  await createFollowWorker({ ...activityDeps, config, ...nodes }, served),
]
await storeSourceSettings(database.pool, sources)
await markActiveNetworks(database.db, activeNetworks(config))
await ensureSchedules({ client, taskQueue: TASK_QUEUE, schedules, known })
await startFirstIngestion({ client, taskQueue: TASK_QUEUE })
await startLoops({
  client,
  taskQueue: TASK_QUEUE,
  known,
  loops: [...AREAS.flatMap(({ loops = [] }) => loops), ...followLoops(config.followedNetworks)],
})

const ended = new AbortController()
const dispatching = dispatchOutbox({
  pool: database.pool,
  client,
  taskQueue: TASK_QUEUE,
  known,
  log,
  tracer,
  signal: ended.signal,
})
const checks = { database: createSchemaCheck(database.pool), temporal: checkTemporal, worker: checkPolling }
const watching = watchIncidents({
  ...database,
  now,
  log,
  sources: () => asOrdered(sources, orders),
  checks,
  receivers: createReceivers(config.receivers),
  alive: () => heartbeat(config.heartbeatUrl),
  signal: AbortSignal.any([ended.signal, ending.signal]),
})
const running = runTogether(workers)
if (config.workerVersion !== null) await useFirstVersion(client, config.workerVersion)
if (registry) measurePools(registry, { ingest: database.pool })
await telemetry.serve({
  checks,
  ...(registry && {
    refresh: measureIngest({ db: database.db, registry, sources: () => asOrdered(sources, orders), now }),
  }),
  ...(temporalOwn && { more: temporalOwn.read }),
})
// The supervisor waits for this line, so it is logged at every level.
log.child({}, { level: 'info' }).info('worker ready')
try {
  await running
} finally {
  ended.abort()
  await dispatching
  await watching
  await http.close()
  await watch.idle()
  await usage.close()
  await notes.store()
  await database.close()
  await connection.close()
  await telemetry.close()
}

/** Without Temporal the worker has nothing to do. */
async function checkTemporal(): Promise<void> {
  await connection.withDeadline(Date.now() + 1_000, () => connection.workflowService.getSystemInfo({}))
}

/** After a shutdown signal the worker takes no more work. */
async function checkPolling(): Promise<void> {
  const ended = workers.map((one) => one.getState()).find((state) => state !== 'RUNNING')
  if (ended) throw new Error(`the worker is ${ended.toLowerCase()}`)
}

/** Fields for log lines that an activity writes. */
function runningActivity(): object {
  const info = asyncLocalStorage.getStore()?.info
  if (!info) return {}
  const { activityType: activity, attempt, workflowExecution } = info
  return { activity, attempt, workflowId: workflowExecution?.workflowId, runId: workflowExecution?.runId }
}

/** Retries until Temporal answers, because it may start later than the worker. */
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
