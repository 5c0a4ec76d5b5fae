import { pino } from 'pino'
import { readWorkerConfig } from '../../activities/config.ts'
import { createHttpClient } from '../../activities/http.ts'
import { fillHistory } from '../../activities/prices/fill-history.ts'
import { createHistoryClaims } from '../../activities/prices/history-claims.ts'
import { createPriceSources } from '../../activities/prices/price-sources.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'

// A process of its own that fills histories, for a test that kills it: argv[2] is the request.
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
// The parent kills some time after one of these.
const report = (what: string): void => void process.send?.(what)
report('started')
await fillHistory(
  deps,
  { sources: createPriceSources(deps), claims: createHistoryClaims(), onProgress: () => report('stored') },
  JSON.parse(process.argv[2]!),
)
await http.close()
await connection.close()
