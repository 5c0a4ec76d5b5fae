import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import type { ActivityDeps } from '../../activities/deps.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createPriceSources } from '../../activities/prices/price-sources.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createWorld } from '../../sandbox/world.ts'
import type { TestDatabase } from '../setup/database.ts'

export type PriceWorld = Awaited<ReturnType<typeof startPriceWorld>>

/**
 * Starts the prices area on a real database and a simulator of its sources on a free port. Closes them after
 * the file.
 */
export async function startPriceWorld(database: TestDatabase) {
  const faults = createFaults()
  /** Ids that the simulated list of all coins leaves out. */
  const unlisted = new Set<string>()
  const clock = { nowMs: Date.now() }
  const anchor = Math.floor(clock.nowMs / 86_400_000) * 86_400
  const mounts = createWorld({ seed: 7, anchor, rpcUrls: [] }).map(({ base, upstream }) => ({
    base,
    upstream: async (request: Parameters<typeof upstream>[0]) => {
      const reply = await upstream(request)
      if (!base.startsWith('/coingecko') || request.path.join('/') !== 'coins/list') return reply
      return { ...reply, body: (reply.body as { id: string }[]).filter(({ id }) => !unlisted.has(id)) }
    },
  }))
  const server = createSandboxServer({ mounts, faults, nowMs: () => clock.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: 'unused:7233',
    COINGECKO_URL: `${url}/coingecko/api/v3`,
    COINPAPRIKA_URL: `${url}/coinpaprika/v1`,
    DEFILLAMA_URL: `${url}/defillama`,
    FRANKFURTER_URL: `${url}/frankfurter`,
    BINANCE_KLINES_URL: `${url}/binance-klines`,
    ECB_URL: `${url}/ecb`,
    EUROFXREF_URL: `${url}/eurofxref`,
  }
  const config = readWorkerConfig(env)
  const connection = openDb({ url: database.ingestUrl, maxConnections: 24, applicationName: 'test' })
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
  afterAll(async () => {
    await http.close()
    await connection.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { deps, sources: createPriceSources(deps), faults, unlisted, clock, env, url }
}
