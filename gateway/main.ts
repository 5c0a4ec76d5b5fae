import { pino } from 'pino'
import { routes } from '../api/routes.ts'
import { createRevocations } from '../db/payments/revoked-sessions.ts'
import { createChainReader } from './chain-reader.ts'
import { readGatewayConfig } from './config.ts'
import { createFacilitatorClient } from './facilitator-client.ts'
import { openGatewayPools } from './open-pools.ts'
import { createPayments } from './payments.ts'
import { redaction } from './redaction.ts'
import { createGateway } from './server.ts'
import { createSessions } from './sessions.ts'
import { TOKEN } from './token.ts'
import { watchFacilitator } from './watch-facilitator.ts'

/** A settlement may take half a minute; what it came to is found out after the next start as well. */
const SHUTDOWN_MS = 40_000

const config = readGatewayConfig(process.env)
const logger = pino({ level: config.logLevel, name: 'gateway', redact: redaction })
const pools = openGatewayPools(config)
const facilitator = createFacilitatorClient({
  url: config.facilitatorUrl,
  ...(config.facilitatorToken && { token: config.facilitatorToken }),
})
const { rpcUrl } = config
const chain = rpcUrl === undefined ? null : createChainReader({ rpcUrl, chainId: TOKEN.chainId })
const payments = createPayments({ pool: pools.payments, facilitator, chain, logger })
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
  ...{ routes, db: pools.db, shares: pools.shares, payments, sessions, ...clock },
  ...{ publicUrl, payTo, pricing, sandbox, logger },
  isContract: chain ? chain.isContract : async () => false,
})

if (!chain)
  logger.warn('X402_RPC_URL is not set: what became of a payment is known from the facilitator alone')
const watch = watchFacilitator({ facilitator, logger })
payments.start()
await app.listen({ host: config.host, port: config.port })

/** Answers what is in flight, then ends. */
async function shutDown(signal: string): Promise<void> {
  logger.info({ signal }, 'shutting down')
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
  watch.stop()
  await app.close()
  // Without a database it cannot say that it ends: others find out within seconds.
  await payments.close().catch(() => {})
  await Promise.all([facilitator.close(), pools.close()])
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('SIGTERM'))
process.once('SIGINT', () => void shutDown('SIGINT'))
