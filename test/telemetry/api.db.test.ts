import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'
import { startProcess } from './start-process.ts'
import { exposedMetrics, SHOWN_BY, watchedMetrics } from './watched-metrics.ts'

const database = await testDatabase()
const receiver = await startOtlpReceiver()
const api = await startProcess('api/main.ts', {
  API_PORT: '0',
  API_DATABASE_URL: database.apiUrl,
  METER_DATABASE_URL: database.meterUrl,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  DRAIN_SECONDS: '1',
})
afterAll(async () => {
  api.child.kill('SIGKILL')
  await receiver.stop()
})

const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro', requestsPerSecond: 100_000 })
const { key } = await createKey(owner.db, { accountId, name: 'test' })
const poor = await createAccount(owner.db, { name: 'poor', plan: 'pro', creditsPerMonth: 1n })
const poorKey = (await createKey(owner.db, { accountId: poor.accountId, name: 'test' })).key
const slow = await createAccount(owner.db, { name: 'slow', plan: 'pro', requestsPerSecond: 1 })
const slowKey = (await createKey(owner.db, { accountId: slow.accountId, name: 'test' })).key
await owner.close()

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/v1${path}`, { headers: { 'x-api-key': key, ...headers } })

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

test('probes and metrics are served on a separate port', async () => {
  expect(await api.ask('/healthz')).toEqual({ status: 200, text: '{"alive":true}' })
  expect(await api.ask('/readyz')).toEqual({ status: 200, text: '{"ready":true,"notReady":[]}' })
  expect((await api.ask('/v1/coins')).status).toBe(404)
  for (const path of ['/metrics', '/healthz', '/readyz'])
    expect((await fetch(api.url + path)).status).toBe(404)
})

test('a trace continues from the caller to the statements of the request and contains no secret', async () => {
  const secret = createShareToken()
  const path = `/coins?limit=3&name=${secret}`
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, cookie: `a=${secret}` }
  expect((await get(path, headers)).status).toBe(200)
  const spans = await receiver.trace(TRACE, ({ name }) => name === 'GET /v1/coins')
  const request = spans.find(({ name }) => name === 'GET /v1/coins')!
  expect(request).toMatchObject({
    service: 'sluice-api',
    parentSpanId: CALLER,
    kind: 2,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/v1/coins',
      'http.response.status_code': '200',
      'sluice.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    },
  })
  const statements = spans.filter((span) => span !== request)
  expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request.spanId]))
  const names = statements.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['authenticate', 'admit', 'charge']))
  expect(names.length).toBeGreaterThan(3)
  expect(BigInt(request.endTimeUnixNano)).toBeGreaterThan(BigInt(request.startTimeUnixNano))
  expect(Math.abs(Number(request.endTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000)
  for (const hidden of [secret, key, 'limit=3']) expect(receiver.text()).not.toContain(hidden)
})

test('concurrent requests contain only their own statements or those of the batch they lead', async () => {
  const traces = Array.from({ length: 20 }, (_, i) => (i + 1).toString(16).padStart(32, '0'))
  const calls = traces.map((trace) => get('/coins?limit=2', { traceparent: `00-${trace}-${CALLER}-01` }))
  for (const response of await Promise.all(calls)) expect(response.status).toBe(200)
  for (const trace of traces) {
    const spans = await receiver.trace(trace, ({ parentSpanId }) => parentSpanId === CALLER)
    const request = spans.find(({ parentSpanId }) => parentSpanId === CALLER)!
    for (const span of spans) if (span !== request) expect(span.parentSpanId).toBe(request.spanId)
  }
})

test('a request whose caller does not record its trace is not traced', async () => {
  const quiet = 'a'.repeat(32)
  expect((await get('/coins', { traceparent: `00-${quiet}-${CALLER}-00` })).status).toBe(200)
  expect((await get('/coins', { traceparent: `00-${'b'.repeat(32)}-${CALLER}-01` })).status).toBe(200)
  await receiver.trace('b'.repeat(32), ({ kind }) => kind === 2)
  expect(receiver.text()).not.toContain(quiet)
})

test('metrics count by route, outcome and credits without naming accounts', async () => {
  expect((await get('/coins/nothing-of-the-kind')).status).toBe(404)
  expect((await get('/coins', { 'x-api-key': poorKey })).status).toBe(429)
  for (let tries = 0; (await get('/coins?limit=1', { 'x-api-key': slowKey })).status !== 429; tries++)
    expect(tries).toBeLessThan(50)
  const { text } = await api.ask('/metrics')
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length) ?? NaN,
    )
  const count = (labels: string) => value(`sluice_http_request_duration_seconds_count{${labels}}`)
  expect(count('method="GET",route="/v1/coins",status="200"')).toBeGreaterThanOrEqual(23)
  expect(count('method="GET",route="/v1/coins/:coinId",status="404"')).toBe(1)
  expect(value('sluice_requests_refused_total{reason="credits_insufficient"}')).toBe(1)
  expect(value('sluice_requests_refused_total{reason="rate_limit"}')).toBe(1)
  const [{ posted } = { posted: '' }] = await query<{ posted: string }>(
    database.ownerUrl,
    'select sum(posted) as posted from credit_periods',
  )
  expect(value('sluice_credits_charged_total{endpoint="GET /coins"}')).toBe(Number(posted))
  expect(value('sluice_meter_batch_size_count{statement="charge"}')).toBeGreaterThan(0)
  expect(value('sluice_postgres_pool_connections_max{pool="reads"}')).toBe(8)
  for (const part of ['database', 'metering', 'process'])
    expect(value(`sluice_part_ready{part="${part}"}`)).toBe(1)
  for (const hidden of [accountId, key, 'nothing-of-the-kind']) expect(text).not.toContain(hidden)
})

test('the API exposes every metric that rules and dashboards read from it', async () => {
  const exposed = exposedMetrics((await api.ask('/metrics')).text)
  const watched = watchedMetrics().filter((name) => SHOWN_BY.api.test(name))
  expect(watched.length).toBeGreaterThan(8)
  expect(watched.filter((name) => !exposed.has(name))).toEqual([])
})

test('is not ready, with the reason, without the schema that it needs', async () => {
  const newest = `(select max(name) from kysely_migration where name not like 'away%')`
  await query(database.ownerUrl, `update kysely_migration set name = 'away' || name where name = ${newest}`)
  const { status, text } = await api.ask('/readyz')
  expect([status, JSON.parse(text)]).toEqual([
    503,
    {
      ready: false,
      notReady: [{ part: 'database', reason: expect.stringMatching(/^migration .* was not applied$/) }],
    },
  ])
  expect((await api.ask('/metrics')).text).toContain('sluice_part_ready{part="database"} 0')
  expect((await api.ask('/healthz')).status).toBe(200)
  await query(database.ownerUrl, `update kysely_migration set name = substr(name, 5) where name like 'away%'`)
  expect((await api.ask('/readyz')).status).toBe(200)
})

test('a failed request is logged with the ids of request and trace', async () => {
  await query(database.ownerUrl, 'alter table coin_quotes rename to away')
  const failed = 'c'.repeat(32)
  const response = await get('/coins?limit=7', { traceparent: `00-${failed}-${CALLER}-01` })
  await query(database.ownerUrl, 'alter table away rename to coin_quotes')
  expect(response.status).toBe(500)
  const { requestId } = (await response.json()) as { requestId: string }
  const [request] = (await receiver.trace(failed, ({ kind }) => kind === 2)).filter(({ kind }) => kind === 2)
  expect(request).toMatchObject({ status: { code: 2 } })
  expect(request!.attributes).toMatchObject({ 'error.type': '500', 'sluice.request_id': requestId })
  expect(api.lines.filter((line) => line['requestId'] === requestId)).toMatchObject([
    { name: 'api', level: 50, msg: 'request failed', traceId: failed, spanId: request!.spanId },
  ])
})

test('is not ready while it shuts down, but still answers during the drain time', async () => {
  const ended = api.end()
  await sleep(300)
  const { status, text } = await api.ask('/readyz')
  expect([status, text]).toEqual([503, expect.stringContaining('it shuts down')])
  expect((await get('/coins')).status).toBe(200)
  expect(await ended).toBe(0)
  for (const line of api.lines)
    expect(line).toMatchObject({ name: 'api', time: expect.any(Number), level: expect.any(Number) })
})
