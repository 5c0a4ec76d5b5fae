import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { afterAll, expect, inject, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { testDatabase } from '../setup/database.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'
import { startProcess } from './start-process.ts'
import { exposedMetrics, SHOWN_BY, watchedMetrics } from './watched-metrics.ts'

// API and worker as they are deployed. Only one source is on, and it is down, so its requests fail, also in
// traces.

/** A separate namespace, because another file creates the same schedules. */
const NAMESPACE = 'telemetry'
const database = await testDatabase()
const temporal = await Connection.connect({ address: inject('temporalAddress') })
await temporal.workflowService.registerNamespace({
  namespace: NAMESPACE,
  workflowExecutionRetentionPeriod: msToTs('1 day'),
})
const receiver = await startOtlpReceiver()
const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
const [api, worker] = await Promise.all([
  startProcess('api/main.ts', {
    ...traces,
    API_PORT: '0',
    API_DATABASE_URL: database.apiUrl,
    METER_DATABASE_URL: database.meterUrl,
  }),
  startProcess('activities/worker.ts', {
    ...traces,
    INGEST_DATABASE_URL: database.ingestUrl,
    SOURCES: 'sandbox',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: NAMESPACE,
    WORKFLOW_CACHE: dirname(inject('workflowBundle')),
    ESPLORA_URL: `http://127.0.0.1:${await freePort()}`,
  }),
])
afterAll(async () => {
  await Promise.all([api.end(), worker.end()])
  const client = new Client({ connection: temporal, namespace: NAMESPACE })
  for (const { id } of AREAS.flatMap((area) => area.schedules)) await client.schedule.getHandle(id).delete()
  const running = client.workflow.list({ query: `TaskQueue = 'sluice' and ExecutionStatus = 'Running'` })
  for await (const { workflowId } of running) await client.workflow.getHandle(workflowId).terminate()
  await temporal.close()
  await receiver.stop()
})

const WALLET = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

test('a worker is ready when it takes work', async () => {
  expect(await worker.ask('/readyz')).toEqual({ status: 200, text: '{"ready":true,"notReady":[]}' })
})

test('one trace connects the caller, the command, the outbox, the workflow and the statements', async () => {
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro' })
  const { key } = await createKey(owner.db, { accountId, name: 'test' })
  await owner.close()
  const traceId = '5bf92f3577b34da6a3ce929d0e0e4736'
  const response = await fetch(`${api.url}/v1/wallet/transactions?address=${WALLET}&connectionId=bitcoin`, {
    method: 'PATCH',
    headers: { 'x-api-key': key, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  expect([response.status, await response.json()]).toEqual([200, { status: 'syncing' }])

  const spans = await receiver.trace(
    traceId,
    ({ name }) => name === 'PATCH /v1/wallet/transactions',
    ({ name }) => name === 'activity beginWalletSync',
  )
  const named = (name: string) => spans.find((span) => span.name === name)!
  const request = named('PATCH /v1/wallet/transactions')
  const start = named('start syncWallet')
  const activity = named('activity beginWalletSync')
  expect(request).toMatchObject({ service: 'sluice-api', parentSpanId: '00f067aa0ba902b7' })
  expect(named('charge_write')).toMatchObject({ service: 'sluice-api', parentSpanId: request.spanId })
  expect(start).toMatchObject({ service: 'sluice-worker', parentSpanId: request.spanId })
  expect(activity).toMatchObject({
    service: 'sluice-worker',
    parentSpanId: start.spanId,
    status: { code: 2 },
  })
  expect(activity.attributes).toMatchObject({
    'temporal.workflow.type': 'syncWallet',
    'temporal.attempt': '1',
  })
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === activity.spanId)
  expect(statements.map(({ name }) => name)).toContain('update source_states')
  expect(statements.map(({ name }) => name)).toContain('request esplora')
  for (const hidden of [key, WALLET]) expect(receiver.text()).not.toContain(hidden)
})

test('activities of a scheduled workflow share the trace of their run', async () => {
  const runs = /"temporal.run_id","value":\{"stringValue":"([0-9a-f-]{36})"/g
  const scheduled = () => [...receiver.text().matchAll(runs)].map(([, runId]) => runId!.replaceAll('-', ''))
  let found: string | undefined
  for (let tries = 0; tries < 200 && !found; tries++) {
    found = scheduled().find((id) => receiver.text().includes(`"traceId":"${id}"`))
    if (!found) await sleep(50)
  }
  expect(found).toMatch(/^[0-9a-f]{32}$/)
})

test('the worker exposes every metric that rules and dashboards read from it', async () => {
  const watched = watchedMetrics().filter((name) => SHOWN_BY.worker.test(name))
  expect(watched.length).toBeGreaterThan(15)
  const missing = async () => {
    const exposed = exposedMetrics((await worker.ask('/metrics')).text)
    return watched.filter((name) => !exposed.has(name))
  }
  // Temporal's SDK exposes a metric only after it has counted something.
  await expect.poll(missing).toEqual([])
})

test('the metrics show that the source is down', async () => {
  await expect
    .poll(async () => (await worker.ask('/metrics')).text)
    .toContain('sluice_source_failing{source="esplora"} 1')
  const { text } = await worker.ask('/metrics')
  expect(text).toContain('sluice_source_lag_seconds{source="esplora",area="chain"} +Inf')
  expect(text).toContain('sluice_outbox_pending 0')
  expect(text).toContain('sluice_webhook_endpoints{state="backing_off"} 0')
  expect(text).toContain('sluice_webhook_events_waiting 0')
  expect(text).toContain('sluice_figures_current 1')
  expect(text).not.toContain(WALLET)
})

test('log lines of activities name their workflow', async () => {
  const about = () => worker.lines.filter(({ workflowId }) => workflowId === `sync:${WALLET}:bitcoin`)
  await expect.poll(() => about().length).toBeGreaterThan(0)
  for (const line of worker.lines)
    expect(line).toMatchObject({ name: 'worker', time: expect.any(Number), level: expect.any(Number) })
})
