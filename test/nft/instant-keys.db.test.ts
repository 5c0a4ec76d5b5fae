import { afterAll, beforeEach, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import type { HttpClient } from '../../activities/http-client.ts'
import { openSeaKeys } from '../../activities/nft/instant-keys.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)

const START = Date.parse('2026-03-10T00:00:00Z')
const MINUTE_MS = 60_000
const clock = { nowMs: START }
let made = 0
let failure: Error | null = null
const http = {
  async fetchJson() {
    if (failure) throw failure
    made++
    const expires_at = new Date(clock.nowMs + 7 * DAY_MS).toISOString()
    return Promise.resolve({ api_key: `key ${made}`, expires_at })
  },
} as unknown as HttpClient
/** Another worker, which remembers nothing. */
const worker = () =>
  openSeaKeys({ pool, http, url: 'https://opensea.test', now: () => new Date(clock.nowMs) })

beforeEach(async () => {
  await query(database.ownerUrl, 'truncate instant_keys')
  ;[made, failure, clock.nowMs] = [0, null, START]
})

test('all workers use one key, which is renewed a day before it ends', async () => {
  expect(await worker().current()).toBe('key 1')
  expect(await worker().current()).toBe('key 1')
  clock.nowMs = START + 6 * DAY_MS
  expect(await worker().current()).toBe('key 1')
  clock.nowMs++
  expect(await worker().current()).toBe('key 2')
})

test('a refused key is replaced once, and not within half an hour', async () => {
  const keys = worker()
  expect(await keys.current()).toBe('key 1')
  clock.nowMs = START + 30 * MINUTE_MS - 1
  expect(await keys.replace('key 1')).toBe('key 1')
  clock.nowMs++
  expect(await keys.replace('key 1')).toBe('key 2')
  clock.nowMs += DAY_MS
  // Another worker replaced it before.
  expect(await keys.replace('key 1')).toBe('key 2')
})

test('a worker remembers the key for a minute', async () => {
  const keys = worker()
  await keys.current()
  await query(database.ownerUrl, `update instant_keys set key = 'of another'`)
  clock.nowMs += MINUTE_MS - 1
  expect(await keys.current()).toBe('key 1')
  clock.nowMs++
  expect(await keys.current()).toBe('of another')
})

test('while no key can be made, the old one is used until it ends', async () => {
  await worker().current()
  failure = new SourceUnavailable('opensea', 'busy')
  clock.nowMs = START + 7 * DAY_MS - 1
  expect(await worker().current()).toBe('key 1')
  clock.nowMs++
  await expect(worker().current()).rejects.toThrow('busy')
  failure = new TypeError('broken')
  clock.nowMs = START + 7 * DAY_MS - 1
  await expect(worker().current()).rejects.toThrow('broken')
})

test('without any key the failure is that of making one', async () => {
  failure = new SourceUnavailable('opensea', 'busy')
  await expect(worker().current()).rejects.toThrow('busy')
})
