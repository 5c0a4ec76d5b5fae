import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { withAskingClient } from '../../cli/asking-client.ts'
import { openDb } from '../../db/connect.ts'
import { readQuarantineReasons, readSourceHealth } from '../../db/sources/read.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
/** Answers with the status in the path, as JSON, or as HTML for `/<status>/html`. */
const server = createServer((request, response) => {
  const [status, text] = (request.url ?? '').slice(1).split('/')
  response.writeHead(Number(status)).end(text === 'html' ? '<html>' : '{"good":true}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const limits = { wire: { requestsPerSecond: 1_000, burst: 100 } }
const gate = createSourceGate({ db, limits })
const http = createHttpClient({ gate, sources: { wire: { url } }, random: () => 0 })
afterAll(async () => {
  await http.close()
  await Promise.all([close(), owner.close()])
  server.close()
})

const ask = (path: string, schema: z.ZodType = z.object({ good: z.boolean() })) =>
  http.fetchJson({ source: 'wire', url: `${url}/${path}`, schema }).then(
    () => 'ok',
    (error: Error) => error.name,
  )
const health = async (source = 'wire') =>
  (await readSourceHealth(owner.db)).find((one) => one.source === source)!

test('counts every request including retries, and counts requests without a usable answer as failures', async () => {
  await Promise.all(Array.from({ length: 20 }, () => ask('200')))
  expect(await health()).toMatchObject({ requests24h: 20, failures24h: 0, lastFailure: null })
  // One call makes three attempts.
  expect(await ask('500')).toBe('SourceUnavailable')
  expect(await health()).toMatchObject({ requests24h: 23, failures24h: 3, consecutiveFailures: 3 })
  expect(await ask('200')).toBe('ok')
  // A refusal or an unexpected answer is one failure without retries and does not open the circuit.
  expect(await ask('404')).toBe('SourceRejected')
  expect(await ask('200', z.object({ other: z.string() }))).toBe('SourceRejected')
  const after = await health()
  expect(after).toMatchObject({ requests24h: 26, failures24h: 5, consecutiveFailures: 0, requestsToday: 26 })
  expect(after.lastFailure).toMatch(/^wire: unexpected answer/)
  expect(after.lastSuccessAt!.getTime()).toBeGreaterThan(Date.now() - 10_000)
})

test('a question of the operator counts as a request and as no ingestion: the source stays as late as it is', async () => {
  const source = 'alternative-me'
  const env = { SOURCES: 'live', ALTERNATIVE_ME_URL: url }
  const answer = await withAskingClient({ db: owner.db, env }, ({ http: asking }) =>
    asking.fetchJson({ source, url: `${url}/200`, schema: z.object({ good: z.boolean() }) }),
  )
  expect(answer).toEqual({ good: true })
  expect(await health(source)).toMatchObject({ requests24h: 1, failures24h: 0, lastSuccessAt: null })
})

test('counts requests by day and month, and failures over 24 hours', async () => {
  await query(
    database.ownerUrl,
    `truncate source_hours;
     insert into source_hours
     select 'wire', date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 10, 1 from generate_series(0, 1000) n`,
  )
  const now = new Date()
  const row = await health()
  expect(row).toMatchObject({ requests24h: 240, failures24h: 24 })
  expect(row.requestsToday).toBe((now.getUTCHours() + 1) * 10)
  expect(row.requestsThisMonth).toBe(((now.getUTCDate() - 1) * 24 + now.getUTCHours() + 1) * 10)
})

test('lists quarantined rows by their most frequent reasons', async () => {
  const quarantined = (reason: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ reason, payload: { n } }))
  const fetchedAt = new Date('2026-05-18T12:00:00Z')
  await quarantineRows(db, {
    source: 'wire',
    area: 'wires',
    fetchedAt,
    quarantined: [...quarantined('no price', 3), ...quarantined('no time', 5), ...quarantined('once', 1)],
  })
  expect(await readQuarantineReasons(db, { perSource: 2 })).toEqual([
    { source: 'wire', area: 'wires', reason: 'no time', rows: 5, newestAt: fetchedAt },
    { source: 'wire', area: 'wires', reason: 'no price', rows: 3, newestAt: fetchedAt },
  ])
  expect((await health()).quarantined).toBe(9)
})
