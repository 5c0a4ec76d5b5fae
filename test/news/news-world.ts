import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import type { ActivityDeps } from '../../activities/deps.ts'
import { createHttpClient } from '../../activities/http.ts'
import { newsArea } from '../../activities/news/area.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { createNews } from '../../sandbox/news/news.ts'
import type { UpstreamReply, UpstreamRequest } from '../../sandbox/upstream.ts'
import type { TestDatabase } from '../setup/database.ts'

/** Of a feed. A larger one is refused and not asked again, so a test does not wait for retries. */
export const MOST_BYTES = 1_000_000

/**
 * Starts the news area on a real database, with simulated feeds on a free port. Closes them after the file.
 * The stories follow from the time: a test that counts them gives it.
 */
export async function startNewsWorld(database: TestDatabase, nowMs = Date.now()) {
  const faults = createFaults()
  const clock = { nowMs }
  const market = createMarket({ seed: 7, anchor: Math.floor(clock.nowMs / 86_400_000) * 86_400 })
  const news = createNews(market)
  /** The requests to feeds and the status of their answers. */
  const asked: { name: string; status: number; headers: UpstreamRequest['headers'] }[] = []
  /** Bodies that replace those of a feed. */
  const bodies = new Map<string, string>()
  const upstream = async (request: UpstreamRequest): Promise<UpstreamReply> => {
    const name = request.path[0]!
    const body = bodies.get(name)
    const reply = body === undefined ? await news(request) : { status: 200, body }
    asked.push({ name, status: reply.status, headers: request.headers })
    return reply
  }
  const server = createSandboxServer({
    mounts: [{ base: '/feeds', upstream }],
    faults,
    nowMs: () => clock.nowMs,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feeds`
  const feeds = newsArea.sources.filter(({ defaultUrl }) => defaultUrl !== null)
  const config = readWorkerConfig({
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: 'unused:7233',
    ...Object.fromEntries(feeds.map(({ name, urlVariable }) => [urlVariable, `${url}/${name}`])),
  })
  const connection = openDb({ url: database.ingestUrl, maxConnections: 8, applicationName: 'test' })
  const gate = createSourceGate({ db: connection.db, limits: config.sources })
  const http = createHttpClient({ gate, sources: config.sources, random: () => 0, maxBytes: MOST_BYTES })
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
    server.close()
  })
  return { deps, faults, clock, asked, bodies, feeds: feeds.map(({ name }) => name) }
}
