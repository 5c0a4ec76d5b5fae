import { pino } from 'pino'
import { readApiConfig } from './config.ts'
import { openPools } from './open-pools.ts'
import { routes } from './routes.ts'
import { createServer } from './server.ts'

const SHUTDOWN_MS = 25_000

const config = readApiConfig(process.env)
const logger = pino({ level: config.logLevel, name: 'api' })
const pools = openPools(config)

const app = createServer({
  routes,
  db: pools.db,
  meter: pools.meter,
  shares: pools.shares,
  ...(pools.vault && { vault: pools.vault }),
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  random: Math.random,
  logger,
  sandbox: config.sandbox,
  x402Pricing: config.x402Pricing,
})

await app.listen({ host: config.host, port: config.port })

/** Answers what is in flight, then ends. */
async function shutDown(signal: string): Promise<void> {
  logger.info({ signal }, 'shutting down')
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
  await app.close()
  await pools.close()
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('SIGTERM'))
process.once('SIGINT', () => void shutDown('SIGINT'))
