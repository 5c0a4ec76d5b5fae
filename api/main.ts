import { performance } from 'node:perf_hooks'
import { pino } from 'pino'
import { openDb, openReadonlyDb } from '../db/connect.ts'
import { createMeter } from '../db/metering/meter.ts'
import { readApiConfig } from './config.ts'
import { routes } from './routes.ts'
import { createServer } from './server.ts'

/** After this a client is told that the database is out of reach. */
const DEADLINE_MS = 900
/** A read that takes longer is ended by the database. */
const READ_TIMEOUT_MS = 10_000
const SHUTDOWN_MS = 25_000

const config = readApiConfig(process.env)
const logger = pino({ level: config.logLevel, name: 'api' })

const reads = openReadonlyDb({
  url: config.databaseUrl,
  maxConnections: 8,
  applicationName: 'sluice-api',
  statementTimeoutMs: READ_TIMEOUT_MS,
  connectDeadlineMs: DEADLINE_MS,
})
const meterPool = (maxConnections: number) =>
  openDb({
    url: config.meterDatabaseUrl,
    maxConnections,
    applicationName: 'sluice-meter',
    // Below the deadline, so that what the client is told has failed does not commit afterwards.
    statementTimeoutMs: DEADLINE_MS - 100,
    connectDeadlineMs: DEADLINE_MS,
    answerDeadlineMs: DEADLINE_MS,
  })
const admission = meterPool(2)
const charging = meterPool(2)

const app = createServer({
  routes,
  db: reads.db,
  meter: createMeter({ admission: admission.pool, charging: charging.pool }),
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  random: Math.random,
  logger,
  sandbox: config.sandbox,
})

await app.listen({ host: config.host, port: config.port })

async function shutDown(signal: string): Promise<void> {
  logger.info({ signal }, 'shutting down')
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
  await app.close()
  await Promise.all([reads.close(), admission.close(), charging.close()])
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('SIGTERM'))
process.once('SIGINT', () => void shutDown('SIGINT'))
