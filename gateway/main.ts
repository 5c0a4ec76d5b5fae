import { keepWithin } from '../api/kept-bytes.ts'
import { createFirstReads, FIRST_READ_LIMITS } from '../api/chain/first-reads.ts'
import { readSoldRoutes } from '../api/sold-routes.ts'
import { watchRequests } from '../api/watch-requests.ts'
import { createAnswerCheck, createSchemaCheck } from '../db/check-schema.ts'
import { countLostPayments } from '../db/payments/chain-ledger.ts'
import { countOpenPayments } from '../db/payments/ledger.ts'
import { createRevocations } from '../db/payments/revoked-sessions.ts'
import { endOnNewerSchema } from '../db/refuse-newer-schema.ts'
import { configured } from '../ops/settings/configured.ts'
import { nameInstallation } from '../ops/settings/installation-header.ts'
import { readTelemetryConfig } from '../ops/telemetry/config.ts'
import { measurePools } from '../ops/telemetry/pool-metrics.ts'
import { startTelemetry } from '../ops/telemetry/start-telemetry.ts'
import { createChainReader } from './chain/chain-reader.ts'
import { createChainWatch } from './chain/chain-watch.ts'
import { readGatewayConfig } from './config.ts'
import { createFacilitatorClient } from './settlement/facilitator-client.ts'
import { measureFacilitator, measureOpenPayments, measurePayments } from './settlement/measure-payments.ts'
import { openGatewayPools } from './open-pools.ts'
import { createPayeeReader } from './chain/payee-reader.ts'
import { createPayments } from './settlement/payments.ts'
import { createGateway } from './server.ts'
import { createSessions } from './session/sessions.ts'
import { TOKEN } from './payment/token.ts'
import { warnOfSharedPayee } from './chain/warn-of-shared-payee.ts'
import { watchFacilitator } from './settlement/watch-facilitator.ts'

/** A settlement may take 30 s. If it takes longer, the next start finds its outcome. */
const SHUTDOWN_MS = 40_000

const { config, routes, telemetryConfig } = configured({
  config: () => readGatewayConfig(process.env),
  routes: () => readSoldRoutes(process.env),
  telemetryConfig: () => readTelemetryConfig(process.env),
})
const telemetry = startTelemetry({ name: 'gateway', logLevel: config.logLevel, config: telemetryConfig })
const { logger, tracer, registry } = telemetry
const pools = openGatewayPools({ ...config, tracer })
await endOnNewerSchema(pools.pools['reads']!, logger)
const client = createFacilitatorClient({
  url: config.facilitatorUrl,
  ...(config.facilitatorToken && { token: config.facilitatorToken }),
})
const facilitator = registry ? measureFacilitator(client, registry) : client
const { rpcUrl, replaySeconds, servesElsewhere } = config
const node = rpcUrl === undefined ? null : { rpcUrl, chainId: TOKEN.chainId }
const chain = node && createChainReader(node)
const payee = node && createPayeeReader({ ...node, asset: TOKEN.address })
const unmeasured = createPayments({
  pool: pools.payments,
  facilitator,
  chain,
  replaySeconds,
  servesElsewhere,
  logger,
})
const payments = registry ? measurePayments(unmeasured, registry) : unmeasured
if (registry) measurePools(registry, pools.pools)
keepWithin({
  maxBytes: config.keptBytes,
  dbs: [pools.db, ...(pools.replica ? [pools.replica] : [])],
  registry,
})
const clock = { now: () => new Date(), monotonicMs: () => performance.now() }
const sessions = createSessions({
  ...clock,
  secrets: config.cookieSecrets,
  publicUrl: config.publicUrl,
  scope: config.cookieScope,
  requestsPerSecond: config.cookieRequestsPerSecond,
  revocations: createRevocations({ db: pools.db, ...clock }),
})

const { publicUrl, payTo, pricing, sandbox } = config
const app = createGateway({
  routes,
  db: pools.db,
  shares: pools.shares,
  firstReads: createFirstReads({
    db: pools.db,
    syncs: pools.firstSyncs,
    limits: { ...FIRST_READ_LIMITS, waitMs: config.firstReadWaitMs },
  }),
  payments,
  sessions,
  ...clock,
  publicUrl,
  payTo,
  pricing,
  ...(config.pagesUrl && { pagesUrl: config.pagesUrl }),
  sandbox,
  logger,
  watch: watchRequests(telemetry),
  ...(pools.replica && { replica: pools.replica }),
  ...(config.trustedProxies && { trustedProxies: config.trustedProxies }),
  isContract: chain ? chain.isContract : async () => false,
  balanceOf: payee && payee.balanceOf,
})

nameInstallation(app.server, config.installation)
if (!chain) logger.warn('X402_RPC_URL is not set: only the facilitator reports the outcome of payments')
const paidTo = payee && { pool: pools.payments, payee, payTo, logger }
if (paidTo) void warnOfSharedPayee(paidTo)
const chainWatch = chain && paidTo && createChainWatch({ ...paidTo, chain, blocks: config.reorgBlocks })
const watch = watchFacilitator({ facilitator, logger })
payments.start()
chainWatch?.start()
await app.listen({ host: config.host, port: config.port })
await telemetry.serve({
  checks: {
    database: createSchemaCheck(pools.pools['reads']!),
    payments: createAnswerCheck(pools.payments),
    facilitator: watch.check,
  },
  ...(registry && {
    refresh: measureOpenPayments({
      open: () => countOpenPayments(pools.payments),
      lost: () => countLostPayments(pools.payments),
      registry,
    }),
  }),
})

/** Finishes the requests in flight, then exits. */
async function shutDown(signal: string): Promise<void> {
  logger.info({ signal }, 'shutting down')
  await telemetry.drain()
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
  watch.stop()
  await app.close()
  // Without a database the lease cannot be ended; it expires within seconds.
  await Promise.allSettled([payments.close(), chainWatch?.stop()])
  await Promise.all([facilitator.close(), pools.close()])
  await telemetry.close()
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('SIGTERM'))
process.once('SIGINT', () => void shutDown('SIGINT'))
