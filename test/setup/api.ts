import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { openPools } from '../../api/open-pools.ts'
import type { Route } from '../../api/route.ts'
import { createServer, type ServerDeps } from '../../api/server.ts'
import { openDb } from '../../db/connect.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import type { TestDatabase } from './database.ts'

interface ApiOptions {
  database: Pick<TestDatabase, 'apiUrl' | 'meterUrl' | 'ownerUrl'>
  routes: readonly Route[]
  overrides?: Partial<ServerDeps>
}

export const SHARE_PEPPER = 'pepper of the tests'

export type TestApi = Awaited<ReturnType<typeof startApi>>

/** The real server on a free port, with pools of the real roles; closed after the file. */
export async function startApi({ database, routes, overrides }: ApiOptions) {
  const pools = openPools({
    databaseUrl: database.apiUrl,
    meterDatabaseUrl: database.meterUrl,
    sharePepper: SHARE_PEPPER,
  })
  const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test-owner' })
  const app = createServer({
    routes,
    db: pools.db,
    meter: pools.meter,
    shares: pools.shares,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    random: Math.random,
    logger: pino({ level: 'silent' }),
    sandbox: false,
    x402Pricing: 'flat',
    ...overrides,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo

  afterAll(async () => {
    await app.close()
    await Promise.allSettled([pools.close(), owner.close()])
  })

  /** A new account with one key. `requestsPerSecond` is high unless a test is about it. */
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

  /** A request with a key, or without one. */
  function get(path: string, key?: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (key !== undefined) headers.set('x-api-key', key)
    return fetch(`http://127.0.0.1:${port}/v1${path}`, { ...init, headers })
  }

  return { port, app, meter: pools.meter, owner: owner.db, newAccount, get }
}
