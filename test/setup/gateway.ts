import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { createFirstReads, FIRST_READ_LIMITS } from '../../api/chain/first-reads.ts'
import type { Route } from '../../api/route.ts'
import { openDb } from '../../db/connect.ts'
import { createRevocations } from '../../db/payments/revoked-sessions.ts'
import { createChainReader } from '../../gateway/chain/chain-reader.ts'
import { createFacilitatorClient } from '../../gateway/settlement/facilitator-client.ts'
import { openGatewayPools } from '../../gateway/open-pools.ts'
import { createPayeeReader } from '../../gateway/chain/payee-reader.ts'
import { createPayments } from '../../gateway/settlement/payments.ts'
import { createGateway, type GatewayDeps } from '../../gateway/server.ts'
import { createSessions } from '../../gateway/session/sessions.ts'
import { TOKEN } from '../../gateway/payment/token.ts'
import { SHARE_PEPPER } from './api.ts'
import type { TestDatabase } from './database.ts'

export const PUBLIC_URL = 'https://pay.example.org'
export const PAY_TO = '0x9a7d000000000000000000000000000000000002'
export const COOKIE_SECRETS = [
  { kid: 'b', secret: 'newest secret of the tests, long enough' },
  { kid: 'a', secret: 'secret of the tests before that one, too' },
]

interface GatewayOptions {
  database: Pick<TestDatabase, 'apiUrl' | 'gatewayUrl' | 'ownerUrl'>
  routes: readonly Route[]
  facilitatorUrl: string
  /** Absent: only the facilitator reports the outcome of payments. */
  rpcUrl?: string
  sessions?: Partial<Parameters<typeof createSessions>[0]>
  payments?: Partial<Parameters<typeof createPayments>[0]>
  overrides?: Partial<GatewayDeps>
}

export type TestGateway = Awaited<ReturnType<typeof startGateway>>

/** Starts the real gateway on a free port with pools of the real roles. It closes after the test file. */
export async function startGateway(options: GatewayOptions) {
  const { database, routes, facilitatorUrl: url, rpcUrl, overrides } = options
  const pools = openGatewayPools({
    databaseUrl: database.apiUrl,
    gatewayDatabaseUrl: database.gatewayUrl,
    sharePepper: SHARE_PEPPER,
  })
  const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test-owner' })
  // Long, because a busy machine may take seconds to verify.
  const facilitator = createFacilitatorClient({ url, verifyDeadlineMs: 60_000 })
  /** Number of requests to the facilitator. */
  const asked = { verify: 0, settle: 0 }
  const counted: typeof facilitator = {
    ...facilitator,
    verify: (request) => (asked.verify++, facilitator.verify(request)),
    settle: (request) => (asked.settle++, facilitator.settle(request)),
  }
  const logger = overrides?.logger ?? pino({ level: 'silent' })
  const node = rpcUrl === undefined ? null : { rpcUrl, chainId: TOKEN.chainId }
  const chain = node && createChainReader(node)
  const payee = node && createPayeeReader({ ...node, asset: TOKEN.address })
  const payments = createPayments({
    pool: pools.payments,
    facilitator: counted,
    chain,
    replaySeconds: 300,
    servesElsewhere: false,
    logger,
    ...options.payments,
  })
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() }
  const sessions = createSessions({
    ...clock,
    secrets: COOKIE_SECRETS,
    publicUrl: PUBLIC_URL,
    scope: 'tier',
    requestsPerSecond: 1_000,
    revocations: createRevocations({ db: pools.db, ...clock }),
    ...options.sessions,
  })
  const app = createGateway({
    ...clock,
    routes,
    db: pools.db,
    shares: pools.shares,
    firstReads: createFirstReads({
      db: pools.db,
      syncs: pools.firstSyncs,
      limits: { ...FIRST_READ_LIMITS, waitMs: 0 },
    }),
    payments,
    sessions,
    logger,
    publicUrl: PUBLIC_URL,
    payTo: PAY_TO,
    pricing: 'flat',
    sandbox: false,
    isContract: chain ? chain.isContract : async () => false,
    balanceOf: payee && payee.balanceOf,
    ...overrides,
  })
  payments.start()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo

  afterAll(async () => {
    await app.close()
    await payments.close()
    await Promise.allSettled([pools.close(), owner.close(), facilitator.close()])
  })

  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, init)

  return { port, app, owner: owner.db, pool: pools.payments, chain, payee, asked, get }
}
