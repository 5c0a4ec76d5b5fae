import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import type { ActivityDeps } from '../../activities/deps.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { createAccount, type Transfer } from '../../sandbox/exchanges/account.ts'
import { binanceRules } from '../../sandbox/exchanges/rules.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createBinance } from '../../sandbox/exchanges/binance.ts'
import { createKraken } from '../../sandbox/exchanges/kraken.ts'
import type { UpstreamRequest } from '../../sandbox/upstream.ts'
import { createWorld } from '../../sandbox/world.ts'
import type { TestDatabase } from '../setup/database.ts'

export const SEED = 7
/**
 * Histories begin two years before. A fixed day, since around some days no balance is small enough to be
 * dust.
 */
const ANCHOR = Date.UTC(2026, 10, 10) / 1000

/** Simulated exchanges and other sources on a free port. Closes itself after the test file. */
export async function startExchanges(options: { clockOffsetMs?: number; eventsPerDay?: number } = {}) {
  /** Clock of all exchanges, `aheadMs` ahead of the real one. */
  const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs }
  const anchor = ANCHOR
  const market = createMarket({ seed: SEED, anchor })
  const faults = createFaults()
  const requests: UpstreamRequest[] = []
  const shared = { market, seed: SEED, anchor, ...options }
  const others = createWorld({ seed: SEED, anchor, rpcUrls: [] }).filter(
    ({ base }) => base !== '/binance' && base !== '/kraken',
  )
  const recorded = [
    { base: '/binance', upstream: createBinance(shared) },
    { base: '/kraken', upstream: createKraken(shared) },
  ].map(({ base, upstream }) => ({
    base,
    upstream: (request: UpstreamRequest) => {
      requests.push(request)
      return upstream(request)
    },
  }))
  const server = createSandboxServer({ mounts: [...recorded, ...others], faults, nowMs: clock.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  /** The newest successful withdrawal of the first account at Binance; undefined: none */
  const newestWithdrawal = (): Transfer | undefined =>
    createAccount({
      seed: SEED,
      name: 'first',
      anchor,
      rules: binanceRules,
      priceUsd: market.priceUsd,
    })
      .eventsUntil(clock.nowMs())
      .findLast((event): event is Transfer => event.kind === 'withdrawal' && !event.failed)
  return { url, clock, market, faults, requests, anchor, newestWithdrawal }
}

export type Exchanges = Awaited<ReturnType<typeof startExchanges>>

/** Dependencies of the activities, with a real database and the simulated exchanges as sources. */
export function exchangeDeps(database: TestDatabase, exchanges: Exchanges) {
  const key = createSealingKey()
  const lines: string[] = []
  const config = readWorkerConfig({
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: 'unused:7233',
    EXCHANGE_KEYS: key,
    SOURCES: 'sandbox',
    BINANCE_URL: `${exchanges.url}/binance`,
    KRAKEN_URL: `${exchanges.url}/kraken`,
    COINGECKO_URL: `${exchanges.url}/coingecko/api/v3`,
    FRANKFURTER_URL: `${exchanges.url}/frankfurter`,
    COINPAPRIKA_URL: `${exchanges.url}/coinpaprika/v1`,
    DEFILLAMA_URL: `${exchanges.url}/defillama`,
  })
  const connection = openDb({ url: database.ingestUrl, maxConnections: 8, applicationName: 'test' })
  const gate = createSourceGate({ db: connection.db, limits: config.sources })
  const http = createHttpClient({ gate, sources: config.sources, random: () => 0 })
  const deps: ActivityDeps = {
    ...connection,
    http,
    config,
    now: () => new Date(exchanges.clock.nowMs()),
    heartbeat: () => {},
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  }
  afterAll(async () => {
    await http.close()
    await connection.close()
  })
  return { deps, publicKey: sealingPublicKey(key), privateKey: key, logged: lines }
}
