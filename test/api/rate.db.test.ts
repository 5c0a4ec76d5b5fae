import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createApiKey } from '../../db/values/api-key.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { probeRoutes } from './probe-routes.ts'

const database = await testDatabase()
const apis = [
  await startApi({ database, routes: probeRoutes }),
  await startApi({ database, routes: probeRoutes }),
  await startApi({ database, routes: probeRoutes }),
]
const api = apis[0]!

test('R1 three servers together admit no more than burst + rate x time', async () => {
  const { key } = await api.newAccount({ requestsPerSecond: 30 })
  const passed: number[] = []
  // The clock that the limiter reads, too: a machine may set it while the monotonic one goes on.
  const startMs = Date.now()
  await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      while (Date.now() - startMs < 2_500) {
        const response = await apis[i % 3]!.get('/probe', key)
        await response.arrayBuffer()
        if (response.status === 200) passed.push(Date.now() + 1)
        else {
          // 503: an overloaded server, which admits nothing.
          expect([429, 503]).toContain(response.status)
          await setTimeout(2)
        }
      }
    }),
  )
  passed.sort((a, b) => a - b)
  const spanS = (passed.at(-1)! - startMs) / 1_000
  expect(passed.length).toBeLessThanOrEqual(30 + 30 * spanS)
  // The limiter does not starve the account: more than the burst was admitted.
  expect(passed.length).toBeGreaterThan(45)
})

test('a batch of any size takes no more than what is left', async () => {
  const { accountId } = await api.newAccount({ requestsPerSecond: 10 })
  const first = (await api.meter.admit(new Map([[accountId, 1_000]]))).get(accountId)!
  expect(first).toMatchObject({ allowed: 10, requestsLeft: 0, requestsPerSecond: 10 })
  const second = (await api.meter.admit(new Map([[accountId, 1_000]]))).get(accountId)!
  expect(second.allowed).toBeLessThanOrEqual(1)
})

test('R2 429 has Retry-After, and a client that waits that long gets no second 429', async () => {
  const { key } = await api.newAccount({ plan: 'free', requestsPerSecond: 2, credits: 1_000_000 })
  let refused = 0
  const endMs = Date.now() + 4_000
  while (Date.now() < endMs) {
    const response = await api.get('/probe', key)
    const body = await response.json()
    if (response.status === 200) continue
    refused++
    expect(body).toMatchObject({ statusCode: 429, message: 'Rate limit exceeded' })
    expect(response.headers.get('ratelimit')).toMatch(/^"rps";r=0;t=\d+$/)
    expect(response.headers.get('x-credits-cost')).toBe('0')
    const retryAfterS = Number(response.headers.get('retry-after'))
    expect(retryAfterS).toBeGreaterThanOrEqual(1)
    await setTimeout(retryAfterS * 1_000)
    expect((await api.get('/probe', key)).status).toBe(200)
  }
  expect(refused).toBeGreaterThan(1)
})

test('RateLimit counts down within the burst', async () => {
  const { key } = await api.newAccount({ requestsPerSecond: 5 })
  const left: number[] = []
  for (let i = 0; i < 3; i++) {
    const header = (await api.get('/probe', key)).headers.get('ratelimit')!
    left.push(Number(/r=(\d+)/.exec(header)![1]))
  }
  expect(left[0]).toBe(4)
  expect(left[2]).toBeLessThan(4)
})

test('R4 the clock of the API host does not matter', async () => {
  const { key } = await api.newAccount({ requestsPerSecond: 2 })
  for (const hours of [1, -1]) {
    const shifted = await startApi({
      database,
      routes: probeRoutes,
      overrides: { now: () => new Date(Date.now() + hours * 3_600_000) },
    })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await shifted.get('/probe', key)).status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    await setTimeout(1_100)
    expect((await shifted.get('/probe', key)).status).toBe(200)
    await setTimeout(1_100)
  }
})

test('a due time from a clock that was set back does not lock an account out', async () => {
  const { accountId, key } = await api.newAccount({ requestsPerSecond: 2 })
  await api.get('/probe', key)
  await query(
    database.ownerUrl,
    'update rate_states set due_us = due_us + 3600000000 where account_id = $1',
    [accountId],
  )
  expect((await api.get('/probe', key)).status).toBe(429)
  await setTimeout(600)
  expect((await api.get('/probe', key)).status).toBe(200)
})

test('R3 an account above its rate causes no refusals for others (npm run test:crash measures the slowdown)', async () => {
  const noisy = await api.newAccount({ requestsPerSecond: 1 })
  const quiet = await api.newAccount()
  const statuses = await Promise.all(
    Array.from(
      { length: 200 },
      async (_, i) => (await api.get('/probe', i % 2 ? noisy.key : quiet.key)).status,
    ),
  )
  expect(statuses.filter((_, i) => i % 2 === 0).every((status) => status === 200)).toBe(true)
  expect(statuses.filter((_, i) => i % 2 === 1 && statuses[i] === 200).length).toBeLessThanOrEqual(3)
})

test('R3 for an account above its rate, the database is asked only once per allowed request', async () => {
  let asked = 0
  const counting = await startApi({
    database,
    routes: probeRoutes,
    overrides: { meter: { ...api.meter, admit: (requests) => (asked++, api.meter.admit(requests)) } },
  })
  const { key } = await counting.newAccount({ requestsPerSecond: 2 })
  const endMs = performance.now() + 1_500
  const statuses: number[] = []
  while (performance.now() < endMs) {
    const response = await counting.get('/probe', key)
    await response.arrayBuffer()
    statuses.push(response.status)
    if (response.status === 429) expect(response.headers.get('retry-after')).toBe('1')
  }
  const passed = statuses.filter((status) => status === 200).length
  expect(passed).toBeGreaterThanOrEqual(3)
  expect(statuses.length).toBeGreaterThan(50)
  expect(asked).toBeLessThanOrEqual(2 * passed + 2)
})

test('an address that tries many wrong keys must wait, but valid keys from it keep working', async () => {
  let nowMs = 0
  const own = await startApi({ database, routes: probeRoutes, overrides: { monotonicMs: () => nowMs } })
  const { key } = await own.newAccount()
  const fresh = await own.newAccount()
  const wrong = createApiKey()
  const statusOf = async (text: string) => (await own.get('/probe', text)).status
  expect(await statusOf(key)).toBe(200)
  for (let round = 0; round < 10; round++) {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, i) => statusOf(i % 2 ? 'sl_wrong' : wrong)),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
  }
  const refused = await own.get('/probe', 'sl_wrong')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await statusOf(fresh.key)).toBe(429)
  expect(await statusOf(key)).toBe(200)
  // Also when the valid key must be looked up again.
  nowMs += 4_000
  for (let i = 0; i < 400; i++) await statusOf('sl_wrong')
  expect(await statusOf('sl_wrong')).toBe(429)
  expect(await statusOf(key)).toBe(200)
  nowMs += 1_000
  expect(await statusOf(fresh.key)).toBe(200)
})
