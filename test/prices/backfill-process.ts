import { pino } from 'pino'
import { readWorkerConfig } from '../../activities/config.ts'
import { createHttpClient } from '../../activities/http.ts'
import { fillHistory } from '../../activities/prices/fill-history.ts'
import { createHistoryClaims } from '../../activities/prices/history-claims.ts'
import { createPriceSources } from '../../activities/prices/price-sources.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'

// A separate process that fills histories, for a test that kills it. argv[2] is the request as JSON.
const config = readWorkerConfig(process.env)
const connection = openDb({ url: config.ingestDatabaseUrl, maxConnections: 4, applicationName: 'test' })
const gate = createSourceGate({ db: connection.db, limits: config.sources })
const http = createHttpClient({ gate, sources: config.sources, random: Math.random })
const deps = {
  ...connection,
  http,
  config,
  now: () => new Date(),
  log: pino({ level: 'silent' }),
  heartbeat: () => {},
}
// The parent kills this process some time after one of these messages.
const report = (what: string): void => void process.send?.(what)
/** Total length of all histories in seconds; it grows only when this process stored something. */
async function length(): Promise<number> {
  const { rows } = await connection.pool.query<{ seconds: number }>(
    `select coalesce(sum(extract(epoch from to_at - from_at)), 0)::float8 as seconds from price_histories`,
  )
  return rows[0]!.seconds
}
let known = await length()
async function reportStored(): Promise<void> {
  const now = await length()
  if (now > known) report('stored')
  known = now
}
report('started')
await fillHistory(
  deps,
  { sources: createPriceSources(deps), claims: createHistoryClaims(), onProgress: () => void reportStored() },
  JSON.parse(process.argv[2]!),
)
await http.close()
await connection.close()
