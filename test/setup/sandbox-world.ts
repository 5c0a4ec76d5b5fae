import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import type { ActivityDeps } from '../../activities/deps.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { sandboxEnvironment } from '../../cli/service-environment.ts'
import { openDb } from '../../db/connect.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer, type Mount } from '../../sandbox/server.ts'
import { createWorld } from '../../sandbox/world.ts'
import type { Chains } from '../sandbox/chains.ts'
import type { TestDatabase } from './database.ts'

interface SandboxOptions {
  /** Chains for the explorers and the worker. Absent: no network has a node */
  chains?: Chains
  /** Overrides the worker's environment. */
  env?: Record<string, string>
  /** true: the worker's clock runs. false: it stands still until the test moves it */
  clockRuns?: boolean
  /** Time of a clock that stands still. Default: now */
  nowMs?: number
  /** Replace the upstreams with the same base. */
  mounts?: Mount[]
}

/**
 * Dependencies of activities, on a real database, with every simulated upstream on a free port. They close
 * after the test file.
 */
export async function startSandboxWorld(database: TestDatabase, options: SandboxOptions = {}) {
  const { close, ...world } = await openSandboxWorld(database, options)
  afterAll(close)
  return world
}

/** A world that is open until `close`. */
export async function openSandboxWorld(
  database: TestDatabase,
  { chains, env, clockRuns = false, nowMs = Date.now(), mounts = [] }: SandboxOptions = {},
) {
  const faults = createFaults()
  const clock = { nowMs }
  if (clockRuns) Object.defineProperty(clock, 'nowMs', { get: () => Date.now() })
  const anchor = Math.floor(clock.nowMs / 86_400_000) * 86_400
  const rpcUrls = Object.entries(chains?.rpcs ?? {}).map(([id, { url }]) => [id as NetworkId, url] as const)
  const others = createWorld({ seed: 7, anchor, rpcUrls }).filter(
    ({ base }) => !mounts.some((mount) => mount.base === base),
  )
  const server = createSandboxServer({ mounts: [...others, ...mounts], faults, nowMs: () => clock.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sandbox = (server.address() as AddressInfo).port
  const config = readWorkerConfig({
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: 'unused:7233',
    ...sandboxEnvironment({ ports: { sandbox } }),
    // Without chains, no network has a node.
    ...(chains?.env ?? { RPC_URL_ETHEREUM: '', RPC_URL_BASE_WALLET: '' }),
    ...env,
  })
  const connection = openDb({ url: database.ingestUrl, maxConnections: 8, applicationName: 'test' })
  const gate = createSourceGate({ db: connection.db, limits: config.sources })
  const http = createHttpClient({ gate, sources: config.sources, random: () => 0 })
  const deps: ActivityDeps = {
    ...connection,
    http,
    config,
    now: () => new Date(clock.nowMs),
    log: pino({ level: 'silent' }),
    heartbeat: () => {},
  }
  async function close(): Promise<void> {
    await http.close()
    await connection.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { deps, faults, clock, url: `http://127.0.0.1:${sandbox}`, close }
}
