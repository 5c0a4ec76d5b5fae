import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { accountPages } from '../account/account-pages.ts'
import { readAccountConfig } from '../account/config.ts'
import { readConsoleConfig } from '../console/config.ts'
import { consolePages } from '../console/console-pages.ts'
import { createTemporal } from '../console/temporal.ts'
import { sharePages } from '../account/share/share-pages.ts'
import { readApiConfig } from './config.ts'
import { openPools } from './open-pools.ts'
import { routes } from './routes.ts'
import { createServer } from './server.ts'

const SHUTDOWN_MS = 25_000

const config = readApiConfig(process.env)
const logger = pino({ level: config.logLevel, name: 'api' })
const account = readAccountConfig(process.env)
// Operators sign in where accounts do.
const operators = account && readConsoleConfig(process.env)
const pools = openPools({
  ...config,
  ...(account && { accountDatabaseUrl: account.databaseUrl }),
  ...(operators && { consoleDatabaseUrl: operators.databaseUrl }),
})
const clocks = { now: () => new Date(), monotonicMs: () => performance.now() }

const temporal = operators?.temporal ? createTemporal({ ...operators.temporal, ...clocks }) : null

const app = createServer({
  routes,
  db: pools.db,
  meter: pools.meter,
  shares: pools.shares,
  ...(pools.vault && { vault: pools.vault }),
  ...(config.issuer && { issuer: config.issuer }),
  ...clocks,
  random: Math.random,
  logger,
  sandbox: config.sandbox,
  pages: [
    sharePages({
      ...{ ...clocks, db: pools.db, shares: pools.shares },
      // Without a secret of the installation a passcode is asked for again after a restart.
      secret: config.pageSecret ?? randomBytes(32).toString('base64url'),
      secure: config.secure,
    }),
    ...(account && pools.account
      ? [
          accountPages({
            ...clocks,
            config: account,
            pool: pools.account,
            db: pools.db,
            meter: pools.meter,
            routes,
          }),
        ]
      : []),
    ...(account && pools.console
      ? [consolePages({ ...clocks, signIn: account, db: pools.console, temporal })]
      : []),
  ],
  x402Pricing: config.x402Pricing,
})

await app.listen({ host: config.host, port: config.port })

/** Answers what is in flight, then ends. */
async function shutDown(signal: string): Promise<void> {
  logger.info({ signal }, 'shutting down')
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
  await app.close()
  await Promise.all([temporal?.close(), pools.close()])
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('SIGTERM'))
process.once('SIGINT', () => void shutDown('SIGINT'))
