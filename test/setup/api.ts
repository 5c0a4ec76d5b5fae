import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { type McpPages, mcpPages } from '../../web/agents/mcp-pages.ts'
import { accountPages } from '../../web/account/account-pages.ts'
import type { AccountConfig } from '../../web/account/config.ts'
import { newsPages } from '../../web/news/news-pages.ts'
import { sharePages } from '../../web/account/share/share-pages.ts'
import { homePage } from '../../web/home/home-page.ts'
import { sharedScripts } from '../../web/parts/shared-scripts.ts'
import { createEventStreams } from '../../api/events/event-streams.ts'
import { createFirstReads, FIRST_READ_LIMITS, type FirstReadLimits } from '../../api/chain/first-reads.ts'
import { openPools } from '../../api/open-pools.ts'
import type { Route } from '../../api/route.ts'
import { createServer, type ServerDeps } from '../../api/server.ts'
import { shownSettings } from '../../ops/settings/shown-settings.ts'
import { consolePages } from '../../web/console/console-pages.ts'
import type { Temporal } from '../../web/console/temporal.ts'
import { openDb } from '../../db/connect.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import type { TestDatabase } from './database.ts'

interface ApiOptions {
  database: Pick<TestDatabase, 'apiUrl' | 'meterUrl' | 'ownerUrl'>
  /** URL of a replica for role `api`. */
  replicaUrl?: string
  routes: readonly Route[]
  overrides?: Partial<ServerDeps>
  /** Adds the pages under /account. */
  account?: AccountConfig
  /** Adds the pages under /console; needs `account`. */
  console?: {
    databaseUrl: string
    temporal: Temporal | null
    logFolder?: string | null
    env?: Record<string, string>
  }
  /** Serves MCP over HTTP; needs `port`. */
  agents?: Pick<McpPages, 'url' | 'issuer'>
  /** By default a first read does not wait. */
  firstReads?: Partial<FirstReadLimits>
  /** Default: a free port */
  port?: number
  /** Time limit of metering. The default is long, so that other load on the machine does not fail tests. */
  deadlineMs?: number
}

const PATIENCE_MS = 60_000

export const SHARE_PEPPER = 'pepper of the tests'

export type TestApi = Awaited<ReturnType<typeof startApi>>

/** Starts the real API on a free port with pools of the real roles. It closes after the test file. */
export async function startApi(options: ApiOptions) {
  const {
    database,
    replicaUrl,
    routes,
    overrides,
    account,
    console: operators,
    port: wanted = 0,
    deadlineMs = PATIENCE_MS,
  } = options
  const pools = openPools({
    deadlineMs,
    databaseUrl: database.apiUrl,
    ...(replicaUrl !== undefined && { replicaUrl }),
    meterDatabaseUrl: database.meterUrl,
    sharePepper: SHARE_PEPPER,
    ...(account && { accountDatabaseUrl: account.databaseUrl }),
    ...(operators && { consoleDatabaseUrl: operators.databaseUrl }),
  })
  const clocks = { now: () => new Date(), monotonicMs: () => performance.now(), ...overrides }
  const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test-owner' })
  const app = createServer({
    routes,
    db: pools.db,
    ...(pools.replica && { replica: pools.replica }),
    meter: pools.meter,
    shares: pools.shares,
    firstReads: createFirstReads({
      db: pools.db,
      syncs: pools.firstSyncs,
      limits: { ...FIRST_READ_LIMITS, waitMs: 0, ...options.firstReads },
    }),
    events: {
      watching: pools.watching,
      streams: createEventStreams({ db: pools.db, times: { pollMs: 20 } }),
    },
    ...clocks,
    logger: pino({ level: 'silent' }),
    sandbox: false,
    pages: [
      sharedScripts,
      homePage({ hasAccounts: account !== undefined, hasDemo: account?.demoSubject !== undefined }),
      newsPages({ db: pools.db }),
      ...(options.agents ? [mcpPages({ ...clocks, routes, ...options.agents, meter: pools.meter })] : []),
      sharePages({ ...clocks, db: pools.db, shares: pools.shares, secret: 'of the tests', secure: false }),
      ...(account
        ? [accountPages({ ...clocks, ...pools, config: account, pool: pools.account!, routes })]
        : []),
      ...(account && operators
        ? [
            consolePages({
              ...clocks,
              signIn: account,
              db: pools.console!,
              served: pools.db,
              ...(pools.replica && { replica: pools.replica }),
              settings: shownSettings(operators.env ?? {}),
              temporal: operators.temporal,
              logFolder: operators.logFolder ?? null,
            }),
          ]
        : []),
    ],
    x402Pricing: 'flat',
    ...overrides,
  })
  await app.listen({ host: '127.0.0.1', port: wanted })
  const { port } = app.server.address() as AddressInfo

  afterAll(async () => {
    await app.close()
    await Promise.allSettled([pools.close(), owner.close()])
  })

  /** Creates an account with one key. The rate limit is high by default. */
  async function newAccount(
    options: { plan?: PlanId; credits?: number; requestsPerSecond?: number; anchorAt?: Date } = {},
  ) {
    const { plan = 'starter', credits, requestsPerSecond = 100_000, anchorAt } = options
    const { accountId } = await createAccount(owner.db, {
      name: 'test',
      plan,
      requestsPerSecond,
      ...(credits !== undefined && { creditsPerMonth: BigInt(credits) }),
      ...(anchorAt && { anchorAt }),
    })
    const { key, prefix } = await createKey(owner.db, { accountId, name: 'test' })
    return { accountId, key, prefix }
  }

  /** Sends a request, with a key or without one. */
  function get(path: string, key?: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (key !== undefined) headers.set('x-api-key', key)
    return fetch(`http://127.0.0.1:${port}/v1${path}`, { ...init, headers })
  }

  return { port, app, meter: pools.meter, owner: owner.db, newAccount, get }
}
