import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../../../db/metering/write.ts'
import { openDb } from '../../../db/connect.ts'
import { openAccount } from '../read/seed.ts'
import { startApi } from '../read/servers.ts'
import { readArguments } from '../shared/arguments.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { debianTool } from '../shared/debian-tool.ts'
import { loadPaths, WRK } from '../shared/load-paths.ts'
import { busyReason, machineLine, peakRssMb } from '../shared/machine.ts'
import { ENDPOINTS } from './endpoints.ts'
import { measureIngest } from './ingest.ts'
import { seedCoins } from './seed-coins.ts'
import { seedNews } from './seed-news.ts'
import { seedPrediction } from './seed-prediction.ts'

const args = readArguments({
  coins: 10_000,
  news: 1_000_000,
  markets: 50_000,
  trades: 10_000_000,
  connections: 32,
  seconds: 4,
})
const LIMIT_MS = 50
const log = (line: string) => console.log(`bench:areas ${line}`)
const busy = busyReason()
const cleanup = createCleanup()

try {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-areas-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  const ingested = await measureIngest({ folder, whole: cleanup, log })
  const endpoints = await measureEndpoints()
  console.log(
    [
      `\nAreas; ${machineLine()}${busy ? `\nNot judged: ${busy}.` : ''}\n`,
      '| area | rows | rows/s | requests | rows/request | peak memory |',
      '| --- | --- | --- | --- | --- | --- |',
      ...ingested.map(
        ({ area, rows, ms, requests, peakMb }) =>
          `| ${area} | ${rows.toLocaleString('en')} | ${Math.round((rows / ms) * 1_000).toLocaleString('en')} | ` +
          `${requests} | ${requests > 0 ? (rows / requests).toFixed(1) : ''} | ${Math.round(peakMb)} MB |`,
      ),
      `\n| endpoint, ${args.connections} connections | requests/s | p50, ms | p99, ms | p99 alone, ms |`,
      '| --- | --- | --- | --- | --- |',
      ...endpoints.map(
        ({ name, perSecond, p50Ms, p99Ms, aloneMs }) =>
          `| ${name} | ${Math.round(perSecond)} | ${p50Ms} | ${p99Ms} | ${aloneMs}${aloneMs > LIMIT_MS ? ' ABOVE THE LIMIT' : ''} |`,
      ),
      '',
    ].join('\n'),
  )
  if (args.json)
    console.log(
      JSON.stringify(
        Object.fromEntries(endpoints.map(({ name, aloneMs, p99Ms }) => [name, { aloneMs, p99Ms }])),
      ),
    )
  if (!busy && endpoints.some(({ aloneMs }) => aloneMs > LIMIT_MS)) process.exitCode = 1
} finally {
  await cleanup.run()
}

/**
 * Measures each endpoint on large tables, under load and with one connection, which shows the server's own
 * time.
 */
async function measureEndpoints() {
  const postgres = await startBenchPostgres(cleanup)
  const owner = openDb({ url: postgres.ownerUrl, maxConnections: 2, applicationName: 'bench' })
  cleanup.add(owner.close)
  log(`storing ${args.coins.toLocaleString('en')} coins with two years of days`)
  await seedCoins(owner.db, args.coins)
  log(`storing ${args.news.toLocaleString('en')} articles`)
  await seedNews(owner, args.news)
  log(`storing ${args.markets.toLocaleString('en')} markets with ${args.trades.toLocaleString('en')} trades`)
  await seedPrediction(owner, args)
  await owner.pool.query('vacuum analyze')
  await owner.pool.query('checkpoint')
  const accountId = await openAccount(owner.db)
  const { key } = await createKey(owner.db, { accountId, name: 'bench' })
  const api = await startApi(postgres, cleanup)
  const wrk = await debianTool(WRK)

  const load = (paths: readonly string[], connections: number) =>
    loadPaths(wrk, { url: api.url, key, paths, connections, seconds: args.seconds })
  const results = []
  for (const [name, paths] of Object.entries(ENDPOINTS)) {
    log(name)
    await load(paths, 4)
    const { p99Ms: aloneMs } = await load(paths, 1)
    const { perSecond, p50Ms, p99Ms } = await load(paths, args.connections)
    results.push({ name, perSecond, p50Ms, p99Ms, aloneMs })
  }
  log(`peak memory of the API: ${await peakRssMb(api.pid)} MB`)
  return results
}
