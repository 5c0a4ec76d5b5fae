import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readBooks, markBookDirty } from '../../db/pnl/books.ts'
import { markHoldersDirty } from '../../db/pnl/valuation/price-changes.ts'
import { bookValues } from '../../db/pnl/periods/book-values.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { readHistoryStart, readPlPeriods, readValuePoints } from '../../db/pnl/periods/read-periods.ts'
import { formatDecimal, toNumber } from '../../db/values/decimal.ts'
import { cutPoints, DAY_MS, HOUR_MS, startOfPeriod } from '../../db/values/periods.ts'
import type { Interval } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { runs } from '../setup/runs.ts'
import { insertMovements, loadWorld, putPrice } from './world.ts'
import type { TestMovement } from './world.ts'

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
// Reads use the role of the API, so that a missing grant fails.
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 4, applicationName: 'test' })
const { db, pool } = owner
afterAll(() => Promise.all([owner.close(), api.close()]))

const START_MS = Date.parse('2024-01-01')
const DAYS = 20
const NETWORKS = ['ethereum', 'base-wallet']
const COINS = ['ethereum', 'bitcoin', 'usd-coin', 'late-coin']
const RUNS = runs({ short: 25, long: 1_000 })
const LATE_MS = START_MS + 9 * DAY_MS + 13 * HOUR_MS

beforeAll(async () => {
  await pool.query('select ensure_price_partitions($1, $2)', [
    new Date(START_MS - 400 * DAY_MS),
    new Date(START_MS + 400 * DAY_MS),
  ])
})

async function seedRandomWorld(): Promise<void> {
  await pool.query('truncate price_days, price_hours')
  await pool.query(
    `insert into price_hours
     select coin, at, (1 + (extract(epoch from at)::bigint / 3600 * length(coin) * 7919) % 100000) / 97.0, 'test', at
     from unnest($1::text[]) as coin, generate_series($2::timestamptz, $3, '1 hour') as at
     where coin <> 'late-coin' or at >= $4`,
    [COINS, new Date(START_MS), new Date(START_MS + DAYS * DAY_MS), new Date(LATE_MS)],
  )
  await pool.query(
    `insert into price_days select * from price_hours where at = date_trunc('day', at) and coin_id <> 'bitcoin'`,
  )
}

const minuteOf = (days: number) =>
  fc.integer({ min: 0, max: days * 24 * 60 - 1 }).map((minute) => START_MS + minute * 60_000)
const raw = fc.bigInt(1n, 10n ** 21n)
const event = fc.record({
  kind: fc.constantFrom('in', 'in', 'out', 'swap', 'fee', 'move', 'move'),
  atMs: minuteOf(DAYS),
  network: fc.constantFrom(0, 1),
  coin: fc.constantFrom(...COINS),
  other: fc.constantFrom(...COINS),
  raw,
  otherRaw: raw,
  travelMs: fc.integer({ min: 0, max: 80 * HOUR_MS }),
})
const query = fc.record({
  networks: fc.constantFrom(['ethereum'], ['base-wallet'], NETWORKS),
  interval: fc.constantFrom<Interval>('daily', 'weekly', 'monthly', 'hourly'),
  fromMs: fc.option(minuteOf(DAYS)),
  midnights: fc.boolean(),
})

let wallets = 0

const booksOf = (walletId: string, networkIds: readonly string[]) =>
  readBooks(
    api.db,
    networkIds.map((networkId) => ({ walletId, networkId })),
  )

test('periods of any scope, interval and window equal the pure engine', async () => {
  await seedRandomWorld()
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 15 }),
      minuteOf(DAYS).map((ms) => Math.max(ms, START_MS + 2 * DAY_MS)),
      fc.integer({ min: 0, max: 3 }),
      fc.array(query, { minLength: 1, maxLength: 4 }),
      async (events, nowMs, lagDays, queries) => {
        const walletId = String(++wallets)
        const rows = events.flatMap((item, index): TestMovement[] => {
          const networkId = NETWORKS[item.network]!
          const common = {
            walletId,
            networkId,
            atMs: item.atMs,
            txHash: `0x${index}`,
            seq: 0,
            coinId: item.coin,
          }
          if (item.kind === 'in') return [{ ...common, role: 'transfer', raw: item.raw }]
          if (item.kind === 'out') return [{ ...common, role: 'transfer', raw: -item.raw }]
          if (item.kind === 'fee') return [{ ...common, role: 'fee', raw: -item.raw }]
          if (item.kind === 'swap') {
            const received = { ...common, seq: 1, coinId: item.other, raw: item.otherRaw }
            return [
              { ...common, role: 'trade', raw: -item.raw },
              { ...received, role: 'trade' },
            ]
          }
          const coinId = item.coin === 'late-coin' ? 'usd-coin' : item.coin
          const there = {
            ...common,
            networkId: NETWORKS[1 - item.network]!,
            atMs: item.atMs + item.travelMs,
            txHash: `0x${index}a`,
          }
          return [
            { ...common, role: 'transfer', coinId, raw: -item.raw },
            { ...there, role: 'transfer', coinId, raw: item.raw },
          ]
        })
        await insertMovements(
          pool,
          rows.filter((row) => row.atMs < nowMs),
        )
        for (const networkId of NETWORKS) {
          await markBookDirty({ db, book: { walletId, networkId }, from: new Date(START_MS) })
          await recomputeBook({ pool, book: { walletId, networkId }, nowMs: nowMs - lagDays * DAY_MS })
        }
        const world = await loadWorld(db, walletId)
        const matches = matchTransfers(world.legs)
        for (const { networks, interval, fromMs, midnights } of queries) {
          const legs = world.legs.filter((leg) => networks.includes(leg.account))
          const historyMs = legs.length > 0 ? Math.min(...legs.map((leg) => leg.atMs)) : null
          const scope = { db: api.db, books: await booksOf(walletId, networks) }
          expect(await readHistoryStart(scope)).toBe(historyMs)
          const start = fromMs === null ? null : midnights ? startOfPeriod('daily', fromMs) : fromMs
          const windowFromMs = start ?? historyMs ?? nowMs
          const periods = await readPlPeriods({
            ...scope,
            interval,
            fromMs: start,
            toMs: nowMs,
            currency: 'USD',
          })
          const cutsMs = cutPoints({ interval, fromMs: windowFromMs, toMs: nowMs })
          const expected = world
            .periods({ accounts: networks, matches, fromMs: windowFromMs, cutsMs })
            .filter((period) => historyMs !== null && period.endMs > historyMs)
          expect(
            periods!.map((period) => ({
              endMs: period.endMs,
              opening: formatDecimal(period.opening),
              closing: formatDecimal(period.closing),
              flow: formatDecimal(period.flow),
            })),
          ).toEqual(expected)
          compared += expected.length
        }
      },
    ),
    { numRuns: RUNS },
  )
  expect(compared).toBeGreaterThan(3 * RUNS)
})

/** Creates a wallet with movements and daily prices, computed up to `now`. */
async function wallet(input: {
  now: string
  prices: Record<string, Record<string, string>>
  movements: [at: string, networkId: string, coinId: string, raw: bigint][]
}) {
  await pool.query('truncate price_days, price_hours, fx_rates')
  for (const [coinId, points] of Object.entries(input.prices)) {
    for (const [at, usd] of Object.entries(points)) {
      await putPrice(db, { table: 'price_days', coinId, atMs: Date.parse(at), usd })
    }
  }
  const walletId = String(++wallets)
  await insertMovements(
    pool,
    input.movements.map(([at, networkId, coinId, amount], index) => ({
      walletId,
      networkId,
      atMs: Date.parse(at),
      txHash: `0x${index}`,
      seq: 0,
      role: 'transfer' as const,
      coinId,
      raw: amount * 10n ** 18n,
    })),
  )
  for (const networkId of new Set(input.movements.map((row) => row[1]))) {
    await markBookDirty({ db, book: { walletId, networkId }, from: new Date(0) })
    await recomputeBook({ pool, book: { walletId, networkId }, nowMs: Date.parse(input.now) })
  }
  return walletId
}

async function profits(
  walletId: string,
  input: { from: string; to: string; currency?: string; networkIds?: string[] },
) {
  const periods = await readPlPeriods({
    db: api.db,
    books: await booksOf(walletId, input.networkIds ?? ['ethereum']),
    interval: 'daily',
    fromMs: Date.parse(input.from),
    toMs: Date.parse(input.to),
    currency: input.currency ?? 'USD',
  })
  return periods!.map((period) => {
    const { profitLoss, profitLossPercent } = periodProfit(period)
    const stale = period.stale ? ' stale' : ''
    return `${formatDecimal(profitLoss)} ${Number(toNumber(profitLossPercent).toFixed(6))}%${stale}`
  })
}

describe('numbered edge cases', () => {
  test('1: a wallet that was never synced has no points and no start', async () => {
    const scope = { db: api.db, books: await booksOf('999999', NETWORKS) }
    expect(await readHistoryStart(scope)).toBeNull()
    expect(
      await readPlPeriods({ ...scope, interval: 'daily', fromMs: null, toMs: START_MS, currency: 'USD' }),
    ).toEqual([])
    expect(await readValuePoints({ ...scope, instantsMs: [START_MS] })).toEqual([])
  })

  test('17: a price gap uses the last price and marks the point as stale', async () => {
    const walletId = await wallet({
      now: '2024-01-04',
      prices: { ethereum: { '2024-01-01': '2000', '2024-01-02': '2000' } },
      movements: [['2024-01-01T12:00Z', 'ethereum', 'ethereum', 1n]],
    })
    expect(await profits(walletId, { from: '2024-01-02', to: '2024-01-04' })).toEqual([
      '0 0% stale',
      '0 0% stale',
    ])
  })

  test('30: in EUR each point uses the rate of its own instant', async () => {
    const walletId = await wallet({
      now: '2024-01-04',
      prices: { 'usd-coin': { '2024-01-01': '1', '2024-01-02': '1', '2024-01-03': '1', '2024-01-04': '1' } },
      movements: [['2024-01-01T12:00Z', 'ethereum', 'usd-coin', 2000n]],
    })
    await pool.query(`insert into fx_rates (currency, at, per_usd, source, fetched_at)
      values ('EUR', '2024-01-01', 0.90, 'test', now()), ('EUR', '2024-01-03', 0.95, 'test', now())`)
    const day = { from: '2024-01-02', to: '2024-01-03' }
    expect(await profits(walletId, { ...day, currency: 'EUR' })).toEqual(['100 5.555556%'])
    expect(await profits(walletId, day)).toEqual(['0 0%'])
    const unknown = {
      db: api.db,
      books: await booksOf(walletId, ['ethereum']),
      interval: 'daily',
      currency: 'XXX',
    } as const
    expect(await readPlPeriods({ ...unknown, fromMs: START_MS, toMs: START_MS + DAY_MS })).toBeNull()
  })

  test('31: a gain in USD can be a loss in BTC', async () => {
    const walletId = await wallet({
      now: '2024-01-04',
      prices: {
        ethereum: { '2024-01-02': '2000', '2024-01-03': '3000' },
        bitcoin: { '2024-01-02': '40000', '2024-01-03': '80000' },
      },
      movements: [['2024-01-02T00:00Z', 'ethereum', 'ethereum', 1n]],
    })
    const day = { from: '2024-01-02T00:00:00.001Z', to: '2024-01-03' }
    expect(await profits(walletId, day)).toEqual(['1000 50%'])
    expect(await profits(walletId, { ...day, currency: 'BTC' })).toEqual(['-0.0125 -25%'])
  })

  test('35: a reorg that drops a deposit changes later points only', async () => {
    const days = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']
    const walletId = await wallet({
      now: '2024-01-04',
      prices: { ethereum: Object.fromEntries(days.map((day, index) => [day, `${1000 + 100 * index}`])) },
      movements: [
        ['2024-01-01T12:00Z', 'ethereum', 'ethereum', 1n],
        ['2024-01-02T12:00Z', 'ethereum', 'ethereum', 3n],
      ],
    })
    const range = { from: '2024-01-01', to: '2024-01-04' }
    expect(await profits(walletId, range)).toEqual(['100 0%', '400 36.363636%', '400 8.333333%'])
    const from = new Date('2024-01-02T12:00Z')
    await pool.query('delete from movements where wallet_id = $1 and at >= $2', [walletId, from])
    await markBookDirty({ db, book: { walletId, networkId: 'ethereum' }, from })
    await recomputeBook({ pool, book: { walletId, networkId: 'ethereum' }, nowMs: Date.parse('2024-01-04') })
    expect(await profits(walletId, range)).toEqual(['100 0%', '100 9.090909%', '100 8.333333%'])
  })

  test('36: a transaction that is 40 days late changes points from its day on', async () => {
    const days = Array.from({ length: 45 }, (_, index) => new Date(START_MS + index * DAY_MS).toISOString())
    const now = days.at(-1)!
    const walletId = await wallet({
      now,
      prices: { ethereum: Object.fromEntries(days.map((day, index) => [day, `${1000 + index}`])) },
      movements: [['2024-01-01T12:00Z', 'ethereum', 'ethereum', 1n]],
    })
    const atMs = Date.parse('2024-01-05T12:00Z')
    const late = { walletId, networkId: 'ethereum', atMs, txHash: '0xlate', seq: 0, coinId: 'ethereum' }
    await insertMovements(pool, [{ ...late, role: 'transfer', raw: 10n ** 18n }])
    await markBookDirty({ db, book: { walletId, networkId: 'ethereum' }, from: new Date(atMs) })
    const result = await recomputeBook({
      pool,
      book: { walletId, networkId: 'ethereum' },
      nowMs: Date.parse(now),
    })
    expect(result).toEqual({ fromMs: Date.parse('2024-01-05'), days: 40, revision: '2' })
    const daily = await profits(walletId, { from: '2024-01-02', to: now })
    expect(daily.map((day) => Number(day.split(' ')[0]))).toEqual([
      1,
      1,
      1,
      ...Array<number>(1).fill(2),
      ...Array<number>(39).fill(2),
    ])
  })

  test('9 and 11: a transfer between networks of one wallet is no flow, and counts in flight', async () => {
    const walletId = await wallet({
      now: '2024-01-04',
      prices: { ethereum: { '2024-01-01': '2000', '2024-01-02': '2200', '2024-01-03': '2100' } },
      movements: [
        ['2024-01-01T12:00Z', 'ethereum', 'ethereum', 3n],
        ['2024-01-01T23:30Z', 'ethereum', 'ethereum', -2n],
        ['2024-01-02T00:10Z', 'base-wallet', 'ethereum', 2n],
      ],
    })
    const range = { from: '2024-01-01', to: '2024-01-03' }
    expect(await profits(walletId, { ...range, networkIds: NETWORKS })).toEqual(['600 0%', '-300 -4.545455%'])
    expect(await profits(walletId, range)).toEqual(['200 0%', '-100 -4.545455%'])
    expect(await profits(walletId, { ...range, networkIds: ['base-wallet'] })).toEqual(['-200 0%'])
    const [point] = await readValuePoints({
      db: api.db,
      books: await booksOf(walletId, NETWORKS),
      instantsMs: [Date.parse('2024-01-02')],
    })
    expect(formatDecimal(point!.value.usd)).toBe('6600')
    expect(formatDecimal(point!.value.eth)).toBe('3')
  })
})

test('a corrected hourly price changes the flow of that hour, and only holders are recomputed', async () => {
  const walletId = await wallet({
    now: '2024-01-04',
    prices: {
      ethereum: { '2024-01-01': '2000', '2024-01-02': '2000', '2024-01-03': '2000', '2024-01-04': '2000' },
    },
    movements: [['2024-01-02T12:30Z', 'ethereum', 'ethereum', 1n]],
  })
  await pool.query('update movements set price_usd = 2000 where wallet_id = $1', [walletId])
  const range = { from: '2024-01-02', to: '2024-01-04' }
  expect(await profits(walletId, range)).toEqual(['0 0%', '0 0%'])

  const from = new Date('2024-01-02T12:00Z')
  await putPrice(db, { table: 'price_hours', coinId: 'ethereum', atMs: from.getTime(), usd: '1900' })
  await putPrice(db, { table: 'price_hours', coinId: 'solana', atMs: from.getTime(), usd: '7' })
  await markHoldersDirty({ db, changes: [{ coinId: 'solana', from }] })
  const state = () =>
    db
      .selectFrom('pl_states')
      .innerJoin('books', 'books.id', 'book_id')
      .selectAll('pl_states')
      .where('wallet_id', '=', walletId)
      .executeTakeFirstOrThrow()
  expect((await state()).dirty_from).toBeNull()
  await markHoldersDirty({ db, changes: [{ coinId: 'ethereum', from }] })
  const block = await db
    .selectFrom('movements')
    .select('block_number')
    .where('wallet_id', '=', walletId)
    .executeTakeFirstOrThrow()
  // The served transactions must be derived again, from the first block with a new price.
  await pool.query(`insert into wallets (id, address) overriding system value values ($1, 'repriced')`, [
    walletId,
  ])
  await pool.query(
    `insert into wallet_syncs (wallet_id, network_id, cursor_block, normalised_block) values ($1, 'ethereum', $2, $2)`,
    [walletId, Number(block.block_number) + 9],
  )
  await recomputeBook({ pool, book: { walletId, networkId: 'ethereum' }, nowMs: Date.parse('2024-01-04') })
  const sync = await db
    .selectFrom('wallet_syncs')
    .select('normalised_block')
    .where('wallet_id', '=', walletId)
    .executeTakeFirstOrThrow()
  expect(Number(sync.normalised_block)).toBe(Number(block.block_number) - 1)
  expect(await profits(walletId, range)).toEqual(['100 0%', '0 0%'])
  expect(await state()).toMatchObject({ dirty_from: null, repriced_from: null, revision: '2' })
})

test('days that are stored while an answer is read do not count twice', async () => {
  const walletId = await wallet({
    now: '2024-01-05T12:00Z',
    prices: { ethereum: { '2024-01-01': '100', '2024-01-04': '110', '2024-01-05': '120' } },
    movements: [
      ['2024-01-02T10:00Z', 'ethereum', 'ethereum', 2n],
      ['2024-01-04T10:00Z', 'ethereum', 'ethereum', 1n],
    ],
  })
  const books = await booksOf(walletId, ['ethereum'])
  const instantsMs = cutPoints({
    interval: 'daily',
    fromMs: Date.parse('2024-01-01'),
    toMs: Date.parse('2024-01-05T12:00Z'),
  })
  const valuesWith = async (computedTo: string) => {
    const computedToMs = Date.parse(computedTo)
    const { points } = await bookValues({ db: api.db, books, computedToMs, instantsMs })
    return points.map(({ value }) => formatDecimal(value.usd))
  }
  const values = ['0', '200', '220', '360', '360']
  expect(await valuesWith('2024-01-05')).toEqual(values)
  // The state was read before the last two days were stored.
  expect(await valuesWith('2024-01-03')).toEqual(values)
})
