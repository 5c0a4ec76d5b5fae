import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { readWorkerConfig } from '../../activities/config.ts'
import type { ActivityDeps, NodeDeps } from '../../activities/deps.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { sandboxEnvironment } from '../../cli/service-environment.ts'
import { openDb } from '../../db/connect.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createWorld } from '../../sandbox/world.ts'
import { seedSandboxCoins } from '../chain/seed-sandbox-coins.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

export const NETWORKS: NetworkId[] = ['ethereum', 'base-wallet']

/**
 * The area on a real database with filled chains and simulated sources. Closes itself after the test file.
 */
export async function startNftWorld(database: TestDatabase) {
  await seedSandboxCoins(database.ownerUrl)
  await query(
    database.ownerUrl,
    `insert into coin_quotes (coin_id, price_usd, at, source, fetched_at)
     select id, case when is_stable then 1 else 2000 end, now(), 'test', now() from coins`,
  )
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nft-'))
  const chains = await startChains(folder)
  await fillChains(chains, { SANDBOX_SCALE: '0.06', SANDBOX_SEED: '5' })
  const rpcUrls = NETWORKS.map((id) => [id, chains.rpcs[id].url] as const)
  const faults = createFaults()
  const clock = { nowMs: Date.now() }
  const mounts = createWorld({ seed: 5, anchor: Math.floor(Date.now() / 1_000), rpcUrls })
  const asked: string[] = []
  const server = createSandboxServer({
    mounts: mounts.map(({ base, upstream }) => ({
      base,
      upstream: (request) => (asked.push(request.target), upstream(request)),
    })),
    faults,
    nowMs: () => clock.nowMs,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = {
    ...sandboxEnvironment({ ports: { sandbox: port } }),
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: 'unused:7233',
    ...chains.env,
  }
  const config = readWorkerConfig(env)
  const connection = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
  const gate = createSourceGate({ db: connection.db, limits: config.sources })
  const http = createHttpClient({ gate, sources: config.sources, random: () => 0 })
  const own: ActivityDeps = {
    ...connection,
    http,
    config,
    now: () => new Date(clock.nowMs),
    log: pino({ level: 'silent' }),
    heartbeat: () => {},
  }
  const deps: ActivityDeps & NodeDeps = {
    ...own,
    ...createNodes({ ...own, usage: createUsageCounts(own.now) }),
  }
  afterAll(async () => {
    await http.close()
    await connection.close()
    server.closeAllConnections()
    server.close()
    await chains.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function sync(
    addresses: readonly string[],
    networkIds: readonly NetworkId[] = NETWORKS,
  ): Promise<void> {
    for (const networkId of networkIds) {
      const network = await testNetwork(connection.pool, { networkId, url: chains.rpcs[networkId].url })
      for (const address of addresses) await syncDirectly({ pool: connection.pool, network, address })
    }
  }

  return { deps, faults, clock, chains, asked, sync }
}
