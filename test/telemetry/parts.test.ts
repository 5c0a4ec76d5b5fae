import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { readTelemetryConfig } from '../../ops/telemetry/config.ts'
import { createLogger } from '../../ops/telemetry/logger.ts'
import { startOperatorServer } from '../../ops/telemetry/operator-server.ts'
import { createSpanExporter } from '../../ops/telemetry/span-exporter.ts'
import { createTracer, type FinishedSpan } from '../../ops/telemetry/tracer.ts'
import { formatTraceparent, parseTraceparent } from '../../ops/telemetry/traceparent.ts'

describe('traceparent', () => {
  const id = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'

  test('is parsed by the W3C format and formatted the same way', () => {
    for (const text of [`00-${id}-01`, `00-${id}-00`])
      expect(formatTraceparent(parseTraceparent(text)!)).toBe(text)
    expect(parseTraceparent(`cc-${id}-01-what-the-future-will-be-like`)).toMatchObject({ sampled: true })
  })

  test.each([
    '',
    'x',
    `00-${id}`,
    `00-${id}-1`,
    `00-${id.toUpperCase()}-01`,
    `ff-${id}-01`,
    `00-${id}-01-more`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
  ])('"%s" is not a valid traceparent', (text) => {
    expect(parseTraceparent(text)).toBeNull()
  })
})

describe('configuration', () => {
  test('telemetry is off by default', () => {
    expect(readTelemetryConfig({ METRICS_PORT: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual({
      operator: null,
      traces: null,
      drainMs: 0,
    })
  })

  test('reads ports, the endpoint and its headers', () => {
    const env = {
      METRICS_PORT: '9464',
      METRICS_HOST: '0.0.0.0',
      DRAIN_SECONDS: '5',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc==, x-scope=a',
    }
    expect(readTelemetryConfig(env)).toEqual({
      operator: { host: '0.0.0.0', port: 9464, installation: null },
      traces: {
        url: 'https://collector.example/otlp/v1/traces',
        headers: { authorization: 'Basic abc==', 'x-scope': 'a' },
      },
      drainMs: 5_000,
    })
  })

  test.each([
    ['METRICS_PORT', '70000'],
    ['METRICS_PORT', 'x'],
    ['DRAIN_SECONDS', '-1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ])('the error for %s=%s names the variable', (name, value) => {
    expect(() => readTelemetryConfig({ [name]: value })).toThrow(name)
  })
})

describe('a logger', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const last = () => JSON.parse(lines.at(-1)!) as Record<string, unknown>

  test('writes the ids of the current trace and the fields of the context', async () => {
    const tracer = createTracer({ add: () => {} })
    const context = () => ({ workflowId: 'w' })
    const logger = createLogger({ name: 'worker', level: 'info', tracer, context, destination })
    await tracer.run({ name: 'a', kind: 'internal' }, async () => {
      await sleep(1)
      logger.info({ requestId: 'r' }, 'said')
      const { traceId, spanId } = tracer.current()!
      expect(last()).toMatchObject({
        name: 'worker',
        msg: 'said',
        workflowId: 'w',
        requestId: 'r',
        traceId,
        spanId,
      })
    })
    logger.info('outside')
    expect(last()).not.toHaveProperty('traceId')
  })

  test('writes message, code and cause of an error, but none of its other data', () => {
    const logger = createLogger({ name: 'api', level: 'info', tracer: null, destination })
    const cause = Object.assign(new Error('inner'), { parameters: ['s3cret'] })
    const error = Object.assign(new Error('outer', { cause }), { code: '23505', detail: 'Key (a)=(s3cret)' })
    const headers = { cookie: 's3cret', authorization: 's3cret', 'x-api-key': 's3cret' }
    logger.error(
      { err: error, error, headers, req: { headers }, query: 's3cret', apiSecret: 's3cret' },
      'failed',
    )
    expect(lines.at(-1)).not.toContain('s3cret')
    expect(last()['err']).toMatchObject({ message: 'outer', code: '23505', cause: { message: 'inner' } })
  })
})

test('spans nest by the calls they wrap and end once', async () => {
  const spans: FinishedSpan[] = []
  const tracer = createTracer({ add: (span) => void spans.push(span) })
  const work = (name: string) => tracer.run({ name, kind: 'internal' }, () => sleep(1))
  await tracer.run({ name: 'outer', kind: 'server', parent: null }, () => Promise.all([work('a'), work('b')]))
  await expect(
    tracer.run({ name: 'failed', kind: 'internal', parent: null }, () =>
      Promise.reject(new TypeError('s3cret')),
    ),
  ).rejects.toThrow()
  const [a, b, outer, failed] = spans
  expect([a!.parentSpanId, b!.parentSpanId, outer!.parentSpanId]).toEqual([
    outer!.spanId,
    outer!.spanId,
    null,
  ])
  expect(failed).toMatchObject({ failure: 'TypeError' })
  expect(failed!.traceId).not.toBe(outer!.traceId)
  const span = tracer.start({ name: 'once', kind: 'internal', parent: null })
  span.end()
  span.end()
  expect(spans).toHaveLength(5)
})

test('without a collector only spans are lost, and one line is logged', async () => {
  const said: unknown[] = []
  const logger = { warn: (line: object) => void said.push(line) }
  const exporter = createSpanExporter({
    service: 'test',
    url: 'http://127.0.0.1:1/v1/traces',
    headers: {},
    logger: logger as never,
  })
  const tracer = createTracer(exporter)
  for (let i = 0; i < 5_000; i++) tracer.start({ name: 'lost', kind: 'internal', parent: null }).end()
  await exporter.close()
  expect(said).toMatchObject([{ lost: 904 + 512 }])
})

describe('readiness', () => {
  const never = new Promise<never>(() => {})
  const broken = () => Promise.reject(new Error('it is down'))
  const servers: { close: () => Promise<void> }[] = []
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  async function readyz(checks: Record<string, () => Promise<unknown>>) {
    const server = await startOperatorServer({
      installation: null,
      host: '127.0.0.1',
      port: 0,
      checks,
      drainMs: 0,
      metrics: () => Promise.reject(new Error()),
    })
    servers.push(server)
    const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
    const response = await get('/readyz')
    return { server, get, status: response.status, body: (await response.json()) as unknown }
  }

  test('names every part that fails or does not answer in time', async () => {
    const { status, body } = await readyz({ fine: async () => 1, broken, hangs: () => never })
    const notReady = [
      { part: 'broken', reason: 'it is down' },
      { part: 'hangs', reason: 'no answer in time' },
    ]
    expect([status, body]).toEqual([503, { ready: false, notReady }])
  })

  test('ends when the process begins to drain; failing metrics get 500', async () => {
    const { server, get, status } = await readyz({ fine: async () => 1 })
    expect(status).toBe(200)
    await server.drain()
    expect((await get('/readyz')).status).toBe(503)
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/metrics')).status).toBe(500)
  })
})
