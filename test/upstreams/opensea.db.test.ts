import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readIngestConfig } from '../../activities/config.ts'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createNftSources } from '../../activities/nft/nft-sources.ts'
import type { SourceFailure } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { ok } from '../../sandbox/upstream.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import { READS, startOpenSea } from './opensea.ts'

// The product's OpenSea with a key of its own, against the strict double, whose rows stand in the names.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

const DAY_MS = 86_400_000
const stats = {
  total: { volume: 1, sales: 1, num_owners: 1, floor_price: 1, floor_price_symbol: 'ETH' },
  intervals: [],
}

/** A fresh double and as many workers as are asked for. */
async function opensea(workers = 1) {
  await query(database.ownerUrl, 'truncate instant_keys')
  const clock = createClock(Date.now())
  const double = stopLater(
    await startOpenSea({ clock, upstream: ({ path }) => ok(path[2] === 'stats' ? stats : { nfts: [] }) }),
  )
  const env = { SOURCES: 'live', OPENSEA_API_KEY: 'instant', OPENSEA_URL: double.apiUrl }
  const { sources } = readIngestConfig(env)
  const failures: SourceFailure[] = []
  const gate = {
    admit: async () => {},
    succeeded: async () => {},
    failed: async (failure: SourceFailure) => void failures.push(failure),
  }
  const made = Array.from({ length: workers }, () => {
    const http = createHttpClient({ gate, sources, random: () => 0 })
    onTestFinished(() => http.close())
    const now = () => new Date(clock.now())
    return createNftSources({ http, pool, now, config: { sources } as never }).opensea!
  })
  const read = (worker = 0) =>
    made[worker]!.nfts({ networkId: 'ethereum', address: `0x${'ab'.repeat(20)}`, next: null })
  return { clock, double, failures, made, read, limit: sources['opensea']! }
}

test('42: the first read makes a key, which all workers share', async () => {
  const { double, read } = await opensea(3)
  await Promise.all([0, 1, 2].map(read))
  expect(double.keys.size).toBe(1)
  expect(double.refused).toEqual([])
})

test('42: a key is renewed a day before it ends, and no read is refused', async () => {
  const { double, read, clock } = await opensea()
  for (let day = 0; day < 15; day++) {
    await read()
    clock.advance(DAY_MS)
  }
  expect(double.keys.size).toBe(3)
  expect(double.refused).toEqual([])
})

test('42: while no new key is given, the old one is used until it ends', async () => {
  const { double, read, clock } = await opensea()
  await read()
  clock.advance(6.5 * DAY_MS)
  // Others of this address made its two keys of the hour.
  const others = () => fetch(`${double.apiUrl}/auth/keys`, { method: 'POST' })
  await others()
  await others()
  await read()
  expect(new Set(double.refused)).toEqual(new Set([42]))
  expect(double.asked.at(-1)!.path).toContain('/nfts')
})

test('41: a key that is refused before its time is replaced once, not again and again', async () => {
  const { double, read, clock } = await opensea()
  await read()
  clock.advance(DAY_MS)
  double.keys.clear()
  await read()
  expect([double.refused, double.keys.size]).toEqual([[41], 1])
  double.keys.clear()
  await expect(read()).rejects.toThrow('status 401')
  await expect(read()).rejects.toThrow('status 401')
  expect(double.keys.size).toBe(0)
})

test('41: a limit of one group pauses the source until its header says', async () => {
  const { double, made, failures } = await opensea()
  for (let i = 0; i < 300; i++) await made[0]!.stats('some')
  await expect(made[0]!.stats('some')).rejects.toThrow(SourceUnavailable)
  expect(double.refused[0]).toBe(41)
  expect(failures[0]!.retryAfterMs).toBeGreaterThan(3_500_000)
})

test('41: the rate of such a key stays below its reads of an hour', async () => {
  const { limit } = await opensea()
  expect(limit.burst + 3_600 * limit.requestsPerSecond).toBeLessThanOrEqual(READS.most)
})
