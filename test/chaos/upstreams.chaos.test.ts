import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { ROLE_PASSWORDS } from '../setup/database.ts'
import { type Answer, json, startFaultyServer } from '../sources/faulty-server.ts'

// Upstreams that answer 429, and upstreams with endless answers, requested by separate processes.

const log = (line: string) => console.log(`chaos: ${line}`)
const server = await startTemporaryPostgres()
afterAll(() => server.stop())
const databaseUrl = ownerUrl({ ...server, database: 'postgres' })
await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })
const upstream = await startFaultyServer()

interface Outcome {
  ends: string[]
  maxRssMb: number
}

async function fetchAll(plan: {
  paths: string[]
  requestsPerSecond: number
  burst: number
}): Promise<Outcome> {
  const input = JSON.stringify({ databaseUrl, url: upstream.url, ...plan })
  const program = join(import.meta.dirname, 'fetch-process.ts')
  const child = spawn(process.execPath, [program, input], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return JSON.parse(output) as Outcome
}

test('Y7 429 with Retry-After: three workers pause the source for that long and lose nothing', async () => {
  const retryAfterS = 3
  const good = json({ ok: true })
  const refusals: number[] = []
  const stop: Answer = (request, response) => {
    refusals.push(performance.now())
    json({}, 429, { 'retry-after': String(retryAfterS) })(request, response)
  }
  upstream.play(...Array<Answer>(15).fill(good), stop, ...Array<Answer>(20).fill(good), stop, good)
  const paths = (worker: number) => Array.from({ length: 40 }, (_, n) => `/${worker}/${n}`)
  const outcomes = await Promise.all(
    [1, 2, 3].map((worker) => fetchAll({ paths: paths(worker), requestsPerSecond: 15, burst: 3 })),
  )
  expect(outcomes.flatMap(({ ends }) => ends).filter((end) => end !== 'ok')).toEqual([])
  expect(refusals).toHaveLength(2)
  // Requests already on their way may arrive within 100 ms of the 429.
  const pauses = refusals.map((atMs) => {
    const later = upstream.requests.map((request) => request.atMs - atMs).filter((ms) => ms > 100)
    return Math.min(...later)
  })
  log(
    `Y7 ${upstream.requests.length} requests of 120 paths; after each 429 the next one came ${pauses.map(Math.round).join(' and ')} ms later`,
  )
  for (const pause of pauses) expect(pause).toBeGreaterThan(retryAfterS * 1_000 - 50)
  expect(upstream.requests).toHaveLength(122)
})

const megabyte = Buffer.alloc(1_048_576, ' ')
const megabytes = (count: number) => Readable.from(Array(count).fill(megabyte))
const bodies: [string, Answer][] = [
  [
    '200 MB',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      megabytes(200)
        .on('error', () => {})
        .pipe(response)
    },
  ],
  [
    'a gzip bomb of 2 GB',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      megabytes(2_000)
        .pipe(createGzip())
        .on('error', () => {})
        .pipe(response)
    },
  ],
]

/** The memory of an idle worker, plus twice the body limit of 32 MB. */
const RSS_LIMIT_MB = 300

test.each(bodies)(
  'Y10 an answer of %s is rejected, and memory stays below its limit',
  async (name, body) => {
    upstream.play(body)
    const { ends, maxRssMb } = await fetchAll({ paths: ['/large'], requestsPerSecond: 100, burst: 10 })
    log(`Y10 ${name}: ${ends[0]}; at most ${maxRssMb} MB`)
    expect(ends).toEqual([expect.stringMatching(/^SourceRejected: .*over 33554432 bytes/)])
    expect(maxRssMb).toBeLessThan(RSS_LIMIT_MB)
  },
  60_000,
)
