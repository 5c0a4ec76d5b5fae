import { randomBytes } from 'node:crypto'
import { mcpPages } from '../web/agents/mcp-pages.ts'
import { accountPages } from '../web/account/account-pages.ts'
import { readAccountConfig } from '../web/account/config.ts'
import { readConsoleConfig } from '../web/console/config.ts'
import { consolePages } from '../web/console/console-pages.ts'
import { createTemporal } from '../web/console/temporal.ts'
import { sharePages } from '../web/account/share/share-pages.ts'
import { homePage } from '../web/home/home-page.ts'
import { sharedScripts } from '../web/parts/shared-scripts.ts'
import { newsPages } from '../web/news/news-pages.ts'
import { createAnswerCheck, createSchemaCheck } from '../db/check-schema.ts'
import { endOnNewerSchema } from '../db/refuse-newer-schema.ts'
import { configured } from '../ops/settings/configured.ts'
import { shownSettings } from '../ops/settings/shown-settings.ts'
import { nameInstallation } from '../ops/settings/installation-header.ts'
import { readTelemetryConfig } from '../ops/telemetry/config.ts'
import { measurePools } from '../ops/telemetry/pool-metrics.ts'
import { startTelemetry } from '../ops/telemetry/start-telemetry.ts'
import { createEventStreams } from './events/event-streams.ts'
import { createFirstReads, FIRST_READ_LIMITS } from './chain/first-reads.ts'
import { freeStartMemory } from './free-start-memory.ts'
import { readApiConfig } from './config.ts'
import { keepWithin } from './kept-bytes.ts'
import { measureMeter } from './metering/measure-meter.ts'
import { openPools } from './open-pools.ts'
import { createServer } from './server.ts'
import { readSoldRoutes } from './sold-routes.ts'
import { watchRequests } from './watch-requests.ts'

const SHUTDOWN_MS = 25_000

const { config, routes, account, operatorPages, telemetryConfig } = configured({
  config: () => readApiConfig(process.env),
  routes: () => readSoldRoutes(process.env),
  account: () => readAccountConfig(process.env),
  operatorPages: () => readConsoleConfig(process.env),
  telemetryConfig: () => readTelemetryConfig(process.env),
})
const telemetry = startTelemetry({ name: 'api', logLevel: config.logLevel, config: telemetryConfig })
const { logger, tracer, registry } = telemetry
// The console uses the sign-in of the account page.
const operators = account && operatorPages
const pools = openPools({
  ...config,
  tracer,
  ...(account && { accountDatabaseUrl: account.databaseUrl }),
  ...(operators && { consoleDatabaseUrl: operators.databaseUrl }),
})
await endOnNewerSchema(pools.pools['reads']!, logger)
const meter = registry ? measureMeter(pools.meter, registry) : pools.meter
if (registry) measurePools(registry, pools.pools)
keepWithin({
  maxBytes: config.keptBytes,
  dbs: [pools.db, ...(pools.replica ? [pools.replica] : [])],
  registry,
})
const clocks = { now: () => new Date(), monotonicMs: () => performance.now() }

const webhooks = config.exchangeSealKey && {
  sealKey: config.exchangeSealKey,
  allowed: config.webhookHosts,
}

const temporal = operators?.temporal ? createTemporal({ ...operators.temporal, ...clocks }) : null

const app = createServer({
  routes,
  db: pools.db,
  ...(pools.replica && { replica: pools.replica }),
  meter,
  shares: pools.shares,
  ...(config.pagesUrl && { pagesUrl: config.pagesUrl }),
  firstReads: createFirstReads({
    db: pools.db,
    syncs: pools.firstSyncs,
    limits: { ...FIRST_READ_LIMITS, waitMs: config.firstReadWaitMs },
  }),
  events: { watching: pools.watching, streams: createEventStreams({ db: pools.db }) },
  ...(pools.vault && { vault: pools.vault }),
  ...(webhooks && { webhooks }),
  ...(config.issuer && { issuer: config.issuer }),
  ...clocks,
  logger,
  watch: watchRequests(telemetry),
  sandbox: config.sandbox,
  ...(config.trustedProxies && { trustedProxies: config.trustedProxies }),
  pages: [
    sharedScripts,
    homePage({ hasAccounts: account !== null, hasDemo: account?.demoSubject !== undefined }),
    newsPages({ db: pools.db }),
    ...(config.agents ? [mcpPages({ ...clocks, routes, ...config.agents, meter })] : []),
    sharePages({
      ...clocks,
      db: pools.db,
      shares: pools.shares,
      // Without a configured secret, visitors must enter the passcode again after a restart.
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
            ...(pools.vault && { vault: pools.vault }),
            ...(webhooks && { webhooks }),
            watching: pools.watching,
            meter,
            routes,
          }),
        ]
      : []),
    ...(account && operators && pools.console
      ? [
          consolePages({
            ...clocks,
            signIn: account,
            db: pools.console,
            served: pools.db,
            ...(pools.replica && { replica: pools.replica }),
            settings: shownSettings(process.env),
            temporal,
            logFolder: operators.logFolder,
          }),
        ]
      : []),
  ],
  x402Pricing: config.x402Pricing,
})

nameInstallation(app.server, config.installation)
await app.ready()
freeStartMemory()
await app.listen({ host: config.host, port: config.port })
await telemetry.serve({
  checks: {
    database: createSchemaCheck(pools.pools['reads']!),
    metering: createAnswerCheck(pools.pools['admission']!),
    ...(pools.account && { accounts: createAnswerCheck(pools.account) }),
  },
})

/** Finishes the requests in flight, then exits. */
async function shutDown(signal: string): Promise<void> {
  logger.info({ signal }, 'shutting down')
  await telemetry.drain()
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
  await app.close()
  await Promise.all([temporal?.close(), pools.close()])
  await telemetry.close()
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('SIGTERM'))
process.once('SIGINT', () => void shutDown('SIGINT'))
