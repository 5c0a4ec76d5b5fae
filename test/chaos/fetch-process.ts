import { z } from 'zod'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'

// Acts as a worker towards upstreams: requests all paths at once through the activities' client and gate,
// then prints the outcomes and its peak memory.

interface Plan {
  databaseUrl: string
  url: string
  paths: string[]
  requestsPerSecond: number
  burst: number
}

const { databaseUrl, url, paths, requestsPerSecond, burst } = JSON.parse(process.argv[2]!) as Plan
const { db, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'fetch-process' })
const gate = createSourceGate({ db, limits: { venue: { requestsPerSecond, burst } } })
const http = createHttpClient({ gate, sources: { venue: { url } }, random: Math.random })
const ends = await Promise.all(
  paths.map((path) =>
    http.fetchJson({ source: 'venue', url: `${url}${path}`, schema: z.object({ ok: z.boolean() }) }).then(
      () => 'ok',
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  ),
)
await http.close()
await close()
console.log(JSON.stringify({ ends, maxRssMb: Math.round(process.resourceUsage().maxRSS / 1_024) }))
