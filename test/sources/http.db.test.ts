import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { type Answer, json, startFaultyServer } from './faulty-server.ts'

const database = await testDatabase()
const upstream = await startFaultyServer()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const limits = {
  venue: { requestsPerSecond: 1_000, burst: 100 },
  other: { requestsPerSecond: 1_000, burst: 100 },
}
const sources = { venue: { url: `${upstream.url}/api` } }
const client = (maxWaitMs = 5_000) =>
  createHttpClient({
    gate: createSourceGate({ db, limits, maxWaitMs }),
    sources,
    random: () => 0.5,
    deadlineMs: 400,
    maxBytes: 64 * 1024,
  })
const http = client()
const get = (path = '/x', from = http) =>
  from.fetchJson({
    source: 'venue',
    url: `${upstream.url}/api${path}`,
    schema: z.object({ ok: z.boolean() }),
  })
const state = async () =>
  (
    await query<{ consecutive_failures: number; last_failure: string | null }>(
      database.ownerUrl,
      'select consecutive_failures, last_failure from source_states',
    )
  )[0]!

const good = json({ ok: true })
const unavailable = { name: 'SourceUnavailable', source: 'venue' }
const rejected = { name: 'SourceRejected', source: 'venue' }

beforeEach(() => query(database.ownerUrl, 'delete from source_states').then(() => reset()))
const reset = () => query(database.ownerUrl, `insert into source_states (source) values ('venue')`)
afterAll(async () => {
  await http.close()
  await close()
})

describe('temporary faults are retried until an answer comes', () => {
  const reset: Answer = (request) => request.socket.resetAndDestroy()
  const truncated: Answer = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"ok":')
    setTimeout(() => request.socket.destroy(), 20)
  }
  const cases: [string, Answer][] = [
    ['status 500', json({ error: 'x' }, 500)],
    ['status 503 with HTML', json('<html>', 503)],
    ['connection reset', reset],
    ['a body that ends early', truncated],
    ['half of the JSON', json('{"ok":')],
    ['HTML with status 200', json('<!DOCTYPE html><html>Just a moment</html>')],
  ]
  test.each(cases)('retries after %s', async (_name, fault) => {
    upstream.play(fault, good)
    expect(await get()).toEqual({ ok: true })
    expect(upstream.requests).toHaveLength(2)
    expect((await state()).consecutive_failures).toBe(0)
  })
})

test('after three attempts the source is unavailable and its state has the reason', async () => {
  upstream.play(json({}, 502))
  await expect(get()).rejects.toMatchObject(unavailable)
  expect(upstream.requests).toHaveLength(3)
  expect(await state()).toEqual({
    consecutive_failures: 3,
    last_failure: expect.stringContaining('status 502'),
  })
})

test('Y8 an answer of one byte at a time is cut off at the deadline', async () => {
  upstream.play((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 50)
    response.once('close', () => clearInterval(drip))
  })
  const startMs = performance.now()
  await expect(get()).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringContaining('within 400 ms'),
  })
  expect(performance.now() - startMs).toBeLessThan(4_000)
})

describe('permanent faults are not retried', () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '))
  const cases: [string, Answer, RegExp][] = [
    ['status 401', json({ error: 'key' }, 401), /status 401/],
    ['status 404', json({ error: 'none' }, 404), /status 404/],
    [
      'S9 a redirect, which is not followed',
      json('', 302, { location: 'http://127.0.0.1:1/' }),
      /status 302/,
    ],
    ['another shape', json({ ok: 'yes' }), /unexpected answer: ok/],
    ['a number of 10^400 where a flag belongs', json('{"ok":1e400}'), /unexpected answer/],
    ['a body over the cap', json(`{"ok":true,"pad":"${'x'.repeat(100_000)}"}`), /over 65536 bytes/],
    [
      'Y10 a body of 200 MB',
      (_request, response) => {
        response.writeHead(200)
        Readable.from(Array(200).fill(Buffer.alloc(1_048_576, ' '))).pipe(response)
      },
      /over 65536 bytes/,
    ],
    [
      'Y10 a gzip bomb, by its size when unpacked',
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(bomb)
      },
      /over 65536 bytes/,
    ],
  ]
  test.each(cases)('%s: rejected without a retry', async (_name, fault, message) => {
    upstream.play(fault)
    const before = process.memoryUsage().rss
    await expect(get()).rejects.toMatchObject({ ...rejected, message: expect.stringMatching(message) })
    expect(upstream.requests).toHaveLength(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })

  test('S9 rejects a source that is off and a URL outside its origin', async () => {
    const schema = z.unknown()
    await expect(http.fetchJson({ source: 'other', url: upstream.url, schema })).rejects.toMatchObject({
      name: 'SourceRejected',
      message: 'other: this source is off',
    })
    await expect(
      http.fetchJson({ source: 'venue', url: 'http://169.254.169.254/', schema }),
    ).rejects.toMatchObject(rejected)
  })

  test.each([
    // Nobody has such a host.
    ['https://base.nodes.invalid/v2', 'SourceUnavailable'],
    ['https://base.nodes.invalid.example/v2', 'SourceRejected'],
    ['https://example.nodes.invalid@base.example/v2', 'SourceRejected'],
    ['https://a.b.nodes.invalid/v2', 'SourceRejected'],
    ['http://base.nodes.invalid/v2', 'SourceRejected'],
  ])('S9 of a vendor with a host for each network, %s is %s', async (url, name) => {
    const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
    const nodes = { nodes: { url: 'https://{network}.nodes.invalid/v2' } }
    const asking = createHttpClient({ gate, sources: nodes, random: () => 0 })
    onTestFinished(() => asking.close())
    await expect(asking.fetchJson({ source: 'nodes', url, schema: z.unknown() })).rejects.toMatchObject({
      name,
    })
  })
})

test('the adapter decides whether an error body with status 200 is retried or rejected', async () => {
  const call = (later: boolean) =>
    http.fetchJson({
      source: 'venue',
      url: `${upstream.url}/api`,
      schema: z.unknown(),
      refuse: (body) => ((body as { status?: string }).status === '0' ? { reason: 'NOTOK', later } : null),
    })
  upstream.play(json({ status: '0' }), json({ status: '1' }))
  expect(await call(true)).toEqual({ status: '1' })
  upstream.play(json({ status: '0' }))
  await expect(call(false)).rejects.toMatchObject(rejected)
})

describe('status 429', () => {
  test('Y7 Retry-After delays every worker, then the request succeeds without a second 429', async () => {
    upstream.play(json({}, 429, { 'retry-after': '1' }), good)
    const another = client()
    const first = get()
    while (upstream.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await Promise.all([first, get('/y', another)])
    const [refused, ...later] = upstream.requests
    expect(later).toHaveLength(2)
    for (const request of later) expect(request.atMs - refused!.atMs).toBeGreaterThan(950)
    await another.close()
  })

  test('Y7 Retry-After also delays requests that already have a slot and wait for it', async () => {
    // One request at a time, 4 per second: the first answer comes while all others wait, on a busy machine too.
    const slow = { venue: { requestsPerSecond: 4, burst: 1 } }
    const gate = createSourceGate({ db, limits: slow })
    const waiting = createHttpClient({ gate, sources, random: () => 0, deadlineMs: 2_000 })
    upstream.play(json({}, 429, { 'retry-after': '1' }), good)
    const asked = Array.from({ length: 10 }, (_, n) => get(`/${n}`, waiting))
    expect(await Promise.all(asked)).toEqual(Array(10).fill({ ok: true }))
    const [refused, ...later] = upstream.requests
    expect(later).toHaveLength(10)
    for (const request of later) expect(request.atMs - refused!.atMs).toBeGreaterThan(950)
    await waiting.close()
  })

  test('reads a date in Retry-After, and passes a wait that is too long to the caller', async () => {
    upstream.play(json({}, 429, { 'retry-after': new Date(Date.now() + 120_000).toUTCString() }))
    const error = await get().catch((reason: unknown) => reason)
    expect(error).toMatchObject(unavailable)
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(60_000)
    expect(upstream.requests).toHaveLength(1)
  })
})

test('after five failures in a row the circuit opens and no request reaches the source', async () => {
  upstream.play(json({}, 500))
  await expect(get()).rejects.toMatchObject(unavailable)
  await expect(get()).rejects.toMatchObject(unavailable)
  expect(upstream.requests).toHaveLength(5)
  await expect(get()).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('no turn') })
  expect(upstream.requests).toHaveLength(5)
  // After the pause one good answer closes the circuit.
  await query(database.ownerUrl, `update source_states set next_request_at = now() where source = 'venue'`)
  upstream.play(good)
  await get()
  expect((await state()).consecutive_failures).toBe(0)
})

test('two workers together stay within the rate of the source', async () => {
  const slow = { venue: { requestsPerSecond: 20, burst: 5 } }
  const gates = [1, 2].map(() => createSourceGate({ db, limits: slow, maxWaitMs: 60_000 }))
  const admitted: number[] = []
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      await gates[i % 2]!.admit('venue')
      admitted.push(performance.now() - startMs)
    }),
  )
  admitted.sort((a, b) => a - b)
  // W seconds after the start, at most burst + rate * W are admitted. A busy machine only notices them later.
  // The tolerance is for the clocks of two processes.
  for (const [i, afterMs] of admitted.entries())
    expect(i + 1).toBeLessThanOrEqual(5 + (afterMs / 1000) * 20 + 2)
})
