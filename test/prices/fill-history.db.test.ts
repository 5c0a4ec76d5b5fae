import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { fillHistory } from '../../activities/prices/fill-history.ts'
import { createHistoryClaims } from '../../activities/prices/history-claims.ts'
import { refreshQuotes } from '../../activities/prices/refresh-quotes.ts'
import { makeCoins } from '../../activities/prices/token-prices.ts'
import { appendDay, appendQuotedHour, storePrices } from '../../db/prices/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startPriceWorld } from './price-world.ts'

const database = await testDatabase()
const { deps, sources, clock, env, faults } = await startPriceWorld(database)
const context = { sources, claims: createHistoryClaims(), onProgress: () => {} }
/** CoinGecko and no source that could stand in for it. */
const alone = { ...context, sources: { ...sources, defillama: null, coinpaprika: null, exchanges: [] } }
const hourMs = Math.floor(clock.nowMs / HOUR_MS) * HOUR_MS
let coinIds: string[]

const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T & Record<string, unknown>>(database.ownerUrl, sql, values)
/** A hash of everything a run stored, without fetch times. */
async function stateHash(): Promise<string> {
  const [row] = await rows<{ hash: string }>(`
    select md5(
      (select string_agg(p::text, ',' order by coin_id, at) from (select coin_id, at, usd, source from price_days) p) ||
      (select string_agg(p::text, ',' order by coin_id, at) from (select coin_id, at, usd, source from price_hours) p) ||
      (select string_agg(h::text, ',' order by coin_id, resolution) from price_histories h)) as hash`)
  return row!.hash
}
const clear = () => rows('truncate price_days, price_hours, price_histories')
const isContiguous = async () =>
  (
    await rows<{ holes: number }>(`
      select count(*)::int as holes from (
        select at - lag(at) over (partition by coin_id order by at) as step from price_hours where coin_id = 'bitcoin') s
      where step > interval '1 hour'`)
  )[0]!.holes === 0

beforeAll(async () => {
  await refreshQuotes(deps, sources)
  coinIds = (await rows<{ id: string }>('select id from coins order by rank limit 10')).map((row) => row.id)
})

test('a run that is killed repeatedly at random points ends with the same rows as an uninterrupted run', async () => {
  const requests = [
    { resolution: 'day' as const, coinIds, fromMs: hourMs - 730 * DAY_MS, toMs: hourMs },
    {
      resolution: 'hour' as const,
      coinIds: coinIds.slice(0, 4),
      fromMs: hourMs - 100 * DAY_MS,
      toMs: hourMs,
    },
  ]
  for (const request of requests) await fillHistory(deps, context, request)
  const whole = await stateHash()
  await clear()

  const script = fileURLToPath(new URL('./backfill-process.ts', import.meta.url))
  let kills = 0
  for (let attempt = 1; ; attempt++) {
    // The first two attempts are killed in their first transaction, the others after one that has stored something.
    const point = [attempt <= 2 ? 'begin' : 'commit', String(1 + ((attempt * 7919) % 4))]
    const child = fork(script, [JSON.stringify(requests), ...point], {
      env: { ...process.env, ...env },
      execArgv: [],
    })
    await once(child, 'exit')
    if (child.signalCode !== 'SIGKILL') break
    kills++
  }
  expect(kills).toBeGreaterThanOrEqual(4)
  expect(await stateHash()).toBe(whole)
  for (const request of requests) expect((await fillHistory(deps, context, request)).points).toBe(0)
})

test('windows before and after the stored range extend it at both ends without a gap', async () => {
  await clear()
  const fill = (fromDays: number, toDays: number) =>
    fillHistory(deps, context, {
      resolution: 'hour',
      coinIds: ['bitcoin'],
      fromMs: hourMs - fromDays * DAY_MS,
      toMs: hourMs - toDays * DAY_MS,
    })
  await fill(20, 10)
  await fill(300, 290)
  expect(await isContiguous()).toBe(true)
  await fill(2, 0)
  expect(await isContiguous()).toBe(true)
  const [history] = await rows<{ from_at: Date; to_at: Date }>(`select from_at, to_at from price_histories`)
  expect(history).toMatchObject({ from_at: new Date(hourMs - 300 * DAY_MS), to_at: new Date(hourMs) })
  expect((await fill(300, 0)).points).toBe(0)
})

test('fills one year when the source keeps only one year', async () => {
  await clear()
  faults.add({ source: 'coingecko', kind: 'history_limit', match: 'market_chart', count: 1 })
  const window = { fromMs: hourMs - 730 * DAY_MS, toMs: hourMs }
  const request = { resolution: 'day' as const, coinIds: ['bitcoin'], ...window }
  await fillHistory(deps, alone, request)
  const stored = async () =>
    (await rows<{ count: number }>('select count(*)::int as count from price_days'))[0]!.count
  expect(await stored()).toBeGreaterThan(360)
  expect(await stored()).toBeLessThan(366)
  expect(await rows('select floor_reason from price_histories')).toEqual([
    { floor_reason: 'coingecko has none before' },
  ])
  // The same plan is not asked again; other sources have the other year.
  expect((await fillHistory(deps, alone, request)).points).toBe(0)
  await fillHistory(deps, context, request)
  expect(await stored()).toBeGreaterThan(720)
})

test('quarantines a coin that its source refuses, and fills the others', async () => {
  await clear()
  await rows(
    `update coin_mappings set upstream_id = 'gone' where source = 'coingecko' and coin_id = 'ethereum'`,
  )
  const window = { fromMs: hourMs - 30 * DAY_MS, toMs: hourMs }
  const result = await fillHistory(deps, alone, {
    resolution: 'day',
    coinIds: ['bitcoin', 'ethereum'],
    ...window,
  })
  expect(result.quarantined).toBe(1)
  const parked = await rows(`select reason, payload->>'coinId' as coin from quarantine`)
  expect(parked).toEqual([{ reason: expect.stringMatching(/coingecko: status 404/), coin: 'ethereum' }])
  expect(await rows('select coin_id from price_histories')).toEqual([{ coin_id: 'bitcoin' }])
})

test('fills the last hour from quotes, and the day at midnight from the hours', async () => {
  await clear()
  const at = new Date(hourMs + HOUR_MS)
  const request = { coinIds: ['bitcoin'], fromMs: hourMs - 5 * DAY_MS, toMs: hourMs }
  await fillHistory(deps, context, { resolution: 'hour', ...request })
  await rows(`update coin_quotes set at = $1, stale = false`, [new Date(hourMs + HOUR_MS + 20_000)])
  const append = () => transact(deps.pool, (tx) => appendQuotedHour(tx, { at, fetchedAt: deps.now() }))
  expect(await append()).toBe(1)
  expect(await append()).toBe(0)
  const [stored] = await rows(
    `select h.usd, q.price_usd from price_hours h join coin_quotes q using (coin_id) where h.at = $1`,
    [at],
  )
  expect(stored!.usd).toBe(stored!.price_usd)

  const midnight = new Date(Math.floor(hourMs / DAY_MS) * DAY_MS)
  await fillHistory(deps, context, { resolution: 'day', ...request, toMs: midnight.getTime() - DAY_MS })
  const day = () => transact(deps.pool, (tx) => appendDay(tx, { at: midnight, fetchedAt: deps.now() }))
  expect(await day()).toBe(1)
  expect(await day()).toBe(0)
})

describe('a changed price', () => {
  const midnight = Math.floor(hourMs / DAY_MS) * DAY_MS
  const daysAgo = (days: number) => new Date(midnight - days * DAY_MS)
  const store = (points: { coinId: string; at: Date; usd: string }[]) =>
    transact(deps.pool, (tx) =>
      storePrices(tx, {
        resolution: 'day',
        points: points.map((point) => ({ ...point, source: 'test' })),
        histories: [],
        fetchedAt: deps.now(),
      }),
    )
  const dirty = async () =>
    (await rows<{ dirty_from: Date | null }>('select dirty_from from pl_states order by book_id')).map(
      (row) => row.dirty_from,
    )

  beforeAll(async () => {
    await clear()
    await rows(`insert into books (id, wallet_id, network_id) overriding system value values
      (1, 1, 'ethereum'), (2, 2, 'ethereum')`)
    await rows(`insert into pl_states (book_id, computed_to) values
      (1, '${daysAgo(1).toISOString()}'), (2, '${daysAgo(1).toISOString()}')`)
    await rows(`insert into balance_days (book_id, coin_id, at, raw, decimals)
      values (1, 'tether', '${daysAgo(50).toISOString()}', 5, 6)`)
    await store([{ coinId: 'tether', at: daysAgo(30), usd: '1' }])
    await rows('update pl_states set dirty_from = null')
  })

  test('marks the P&L of holders of the coin dirty from its instant, and no other', async () => {
    await store([{ coinId: 'tether', at: daysAgo(30), usd: '1.01' }])
    expect(await dirty()).toEqual([daysAgo(30), null])
    await store([{ coinId: 'tether', at: daysAgo(40), usd: '1' }])
    expect(await dirty()).toEqual([daysAgo(40), null])
  })

  test('marks nothing dirty when the price is equal or lies after the computed range', async () => {
    await rows('update pl_states set dirty_from = null')
    expect(await store([{ coinId: 'tether', at: daysAgo(30), usd: '1.010' }])).toBe(0)
    await store([{ coinId: 'tether', at: daysAgo(0), usd: '3' }])
    expect(await dirty()).toEqual([null, null])
  })

  test('of bitcoin or ether marks every wallet dirty, since all are valued in them', async () => {
    await store([{ coinId: 'bitcoin', at: daysAgo(20), usd: '1' }])
    expect(await dirty()).toEqual([daysAgo(20), daysAgo(20)])
  })
})

test('concurrent calls for the same histories fetch each history once', async () => {
  await clear()
  // Leaves out ethereum: an earlier test makes the source refuse it.
  const listed = await rows<{ id: string }>(
    `select id from coins where id <> 'ethereum' order by rank limit 20`,
  )
  const wanted = listed.map(({ id }) => id)
  const request = {
    resolution: 'hour' as const,
    coinIds: wanted,
    fromMs: hourMs - 100 * DAY_MS,
    toMs: hourMs,
  }
  let asked = 0
  const counted = {
    ...sources,
    coingecko: {
      ...sources.coingecko!,
      history: (range: Parameters<NonNullable<typeof sources.coingecko>['history']>[0]) => {
        asked++
        return sources.coingecko!.history(range)
      },
    },
  }
  const shared = { ...context, sources: counted }
  const results = await Promise.all([1, 2, 3].map(() => fillHistory(deps, shared, request)))
  // 100 days of hours are two calls for each coin.
  expect(asked).toBe(wanted.length * 2)
  const [stored] = await rows<{ count: number }>('select count(*)::int as count from price_hours')
  expect(results.reduce((sum, { points }) => sum + points, 0)).toBe(stored!.count)
  expect(results.filter(({ points }) => points > 0).length).toBeGreaterThan(1)
})

test('creating a partition and reading prices do not block each other', async () => {
  const reader = await deps.pool.connect()
  try {
    await reader.query('begin')
    await reader.query('select count(*) from price_days')
    // The partition is created without waiting for the reader, which then reads the other table without
    // waiting.
    await transact(deps.pool, async ({ db: maker }) => {
      await sql`set local lock_timeout = '2s'`.execute(maker)
      await sql`select ensure_price_partitions('2011-01-01', '2011-02-01')`.execute(maker)
      await reader.query(`set local lock_timeout = '2s'`)
      await reader.query('select count(*) from price_hours')
    })
  } finally {
    await reader.query('rollback')
    reader.release()
  }
})

test('a token priced by DefiLlama has the price of each full hour, not the one before', async () => {
  const market = createMarket({ seed: 7, anchor: Math.floor(clock.nowMs / DAY_MS) * 86_400 })
  const coinId = `${market.coin('llama:moss')!.platforms['ethereum']!.address}_ethereum`
  await makeCoins(deps, sources, [coinId])
  const window = { fromMs: hourMs - 2 * DAY_MS, toMs: hourMs }
  await fillHistory(deps, context, { resolution: 'hour', coinIds: [coinId], ...window })
  const points = await rows<{ at: Date; usd: string }>(
    'select at, usd from price_hours where coin_id = $1 order by at',
    [coinId],
  )
  expect(points.length).toBeGreaterThan(48)
  expect(points.map(({ usd }) => Number(usd))).toEqual(
    points.map(({ at }) => market.priceUsd('llama:moss', at.getTime() / 1_000)),
  )
})
