import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { Context } from '@temporalio/activity'
import { pino } from 'pino'
import type pg from 'pg'
import { activityInterceptor } from '../../../activities/activity-interceptor.ts'
import { AREAS } from '../../../activities/all-areas.ts'
import { readWorkerConfig } from '../../../activities/config.ts'
import { createHttpClient } from '../../../activities/http.ts'
import { createActivities } from '../../../activities/create-activities.ts'
import { runTogether } from '../../../activities/follow-worker.ts'
import { createQueueWorkers } from '../../../activities/queue-workers.ts'
import { createSourceGate } from '../../../activities/source-gate.ts'
import { openDb } from '../../../db/connect.ts'
import { markActiveNetworks } from '../../../db/sources/write.ts'
import { workflowsOf } from './workflows-of.ts'

/** `ingest-process.ts AREA`: runs the scheduled workflows of one area once and prints the result. */
const area = AREAS.find(({ name }) => name === process.argv[2])!
const config = readWorkerConfig(process.env)
const database = openDb({ url: config.ingestDatabaseUrl, maxConnections: 10, applicationName: 'bench' })
const owner = openDb({ url: process.env['DATABASE_URL']!, maxConnections: 1, applicationName: 'bench' })
const gate = createSourceGate({ db: database.db, limits: config.sources })
const http = createHttpClient({ gate, sources: config.sources, random: Math.random })
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const connection = await NativeConnection.connect({ address: config.temporalAddress })
const taskQueue = 'bench'
const options = {
  connection,
  taskQueue,
  activities: createActivities({
    ...database,
    http,
    config,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    heartbeat: () => Context.current().heartbeat(),
  }),
  interceptors: { activity: [activityInterceptor] },
}
const workers = [
  await Worker.create({
    ...options,
    maxConcurrentActivityTaskExecutions: 16,
    workflowsPath: fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url)),
  }),
  ...(await createQueueWorkers(options)),
]
await markActiveNetworks(database.db, Object.keys(config.rpcUrls))
const running = runTogether(workers)
const clientConnection = await Connection.connect({ address: config.temporalAddress })
const client = new Client({ connection: clientConnection })

const started = await workflowsOf(area.name, { ...owner, sealKey: process.env['EXCHANGE_SEAL_KEY']! })
const before = { rows: await countRows(owner.pool), requests: await countRequests(owner.pool) }
const startMs = performance.now()
for (const { id, workflow, input } of started)
  await client.workflow.execute(workflow, { workflowId: `bench-${id}`, taskQueue, args: [input] })
const ms = performance.now() - startMs
const rows = (await countRows(owner.pool)) - before.rows
const requests = (await countRequests(owner.pool)) - before.requests
for (const worker of workers) worker.shutdown()
await running
await clientConnection.close()
await connection.close()
await http.close()
await database.close()
await owner.close()
const peakMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ area: area.name, rows, requests, ms, peakMb }))

async function countRows(pool: pg.Pool): Promise<number> {
  let total = 0
  for (const table of area.tables)
    total += (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]!.n
  return total
}

async function countRequests(pool: pg.Pool): Promise<number> {
  const names = area.sources.map(({ name }) => name)
  const { rows } = await pool.query<{ n: number }>(
    'select coalesce(sum(requests), 0)::int as n from source_hours where source = any($1)',
    [names],
  )
  return rows[0]!.n
}
