import { pino } from 'pino'
import { readWorkerConfig } from '../../activities/config.ts'
import { createHttpClient } from '../../activities/http.ts'
import { fillHistory } from '../../activities/prices/fill-history.ts'
import { createHistoryClaims } from '../../activities/prices/history-claims.ts'
import { createPriceSources } from '../../activities/prices/price-sources.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'

// A separate process that fills histories. argv[2] is the list of requests as JSON. It kills itself argv[4] statements
// after the first one that is argv[3]: a point in its work, which does not depend on the speed of the machine.
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
let left = Infinity
connection.pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => never
  client.query = (...args: unknown[]) => {
    const sent = query(...args)
    if (left === Infinity && args[0] === process.argv[3]) left = Number(process.argv[4])
    else left--
    if (left === 0) process.kill(process.pid, 'SIGKILL')
    return sent
  }
})
const context = { sources: createPriceSources(deps), claims: createHistoryClaims(), onProgress: () => {} }
for (const request of JSON.parse(process.argv[2]!) as Parameters<typeof fillHistory>[2][])
  await fillHistory(deps, context, request)
await http.close()
await connection.close()
