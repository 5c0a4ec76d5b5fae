import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeBooks } from '../../activities/pnl/recompute-books.ts'
import { openDb } from '../../db/connect.ts'
import { openBook } from '../../db/pnl/books.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { dueAccounts, dueBooks } from '../../db/pnl/periods/due-books.ts'
import { markHoldersDirty } from '../../db/pnl/valuation/price-changes.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { runs } from '../setup/runs.ts'
import { COINS, DAYS, event, legsOf, MARKET, NOW_MS, START_MS } from './account-events.ts'
import { createAccount, HOLDERS } from './account-world.ts'
import { foldedRows, forgetFigures } from './folded-rows.ts'
import { refreshAccount } from './law-three.ts'
import { insertMarket, insertMovements, putPrice, seedDailyPrices } from './world.ts'

// What the schedule does: books that only prices or midnights changed are computed together.

const RUNS = runs({ short: 4, long: 300 })
const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 6, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => connection.close())
beforeAll(() => insertMarket(connection, MARKET))

type Account = Awaited<ReturnType<typeof createAccount>>
let accounts = 0
const seen = { together: 0, alone: 0, rows: 0 }

/** One run of the schedule. Returns what failed. */
async function runSchedule(nowMs: number): Promise<string[]> {
  const failures: string[] = []
  const midnight = new Date(startOfPeriod('daily', nowMs))
  const books = await dueBooks({ db, midnight, afterId: '0', limit: 500 })
  const { computed, changed } = await recomputeBooks({
    ...connection,
    books,
    nowMs,
    onProgress: () => {},
    onFailure: (what) => failures.push(what),
  })
  seen.alone += changed.length
  seen.together += computed - changed.length
  for (const account of await dueAccounts({ db, limit: 500 }))
    await refreshAccount({ connection, ...account, nowMs })
  return failures
}

/** Days, balances, matches and coin rows of an account as text. */
async function figuresOf(account: Account): Promise<string[]> {
  // Those that are older stay until the next fold, and nobody reads them.
  await pool.query('delete from coin_moves where at < $1', [new Date(NOW_MS - DAY_MS)])
  const ids: string[] = []
  for (const holder of HOLDERS) ids.push((await openBook(db, account.keys[holder])).id)
  const { rows } = await pool.query<{ row: string }>(
    `select pl_days::text as row from pl_days where book_id = any($1)
     union all select balance_days::text from balance_days where book_id = any($1) order by 1`,
    [ids],
  )
  return [...rows.map(({ row }) => row), ...(await foldedRows(pool, account))]
}

const LAST_DAYS = 6
/** An event long ago, or of one of the last days. */
const late = fc.record({
  item: event,
  daysAgo: fc.integer({ min: 0, max: LAST_DAYS - 1 }),
  isNew: fc.boolean(),
})
const priceChange = fc.record({
  coin: fc.constantFrom(...COINS),
  daysBefore: fc.constantFrom(0, 0, 0, 1, 3, 20),
  /** null: the price is deleted */
  usd: fc.constantFrom('0.77', '123.45', null),
})
const day = fc.record({
  events: fc.oneof(fc.constant([]), fc.array(late, { maxLength: 2 })),
  prices: fc.oneof(fc.constant([]), fc.array(priceChange, { minLength: 1, maxLength: 2 })),
})

test('books that wait for midnights and prices, computed together, equal a full run byte for byte', async () => {
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(event, { minLength: 6, maxLength: 12 }),
        fc.array(day, { minLength: LAST_DAYS, maxLength: LAST_DAYS }),
        fc.constantFrom(...COST_METHODS),
        async (first, days, method) => {
          const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
          for (const holder of HOLDERS) await account.follow(holder, method)
          await account.store(legsOf(first).filter(({ atMs }) => atMs < NOW_MS - LAST_DAYS * DAY_MS))
          // A first run belongs to the sync.
          await account.compute(NOW_MS - LAST_DAYS * DAY_MS)
          for (const [index, { events, prices }] of days.entries()) {
            const nowMs = NOW_MS - (LAST_DAYS - 1 - index) * DAY_MS
            for (const { item, daysAgo, isNew } of events) {
              const minute = isNew ? (DAYS - LAST_DAYS + index - (daysAgo % 2)) * 24 * 60 : item.minute
              await account.store(
                legsOf([{ ...item, minute, isShared: false, travelMs: 1 }]).filter(
                  ({ atMs }) => atMs < nowMs,
                ),
              )
            }
            for (const { coin, daysBefore, usd } of prices) {
              const atMs = startOfPeriod('daily', nowMs) - daysBefore * DAY_MS
              if (usd !== null) await putPrice(db, { table: 'price_days', coinId: coin, atMs, usd })
              else
                await pool.query('delete from price_days where coin_id = $1 and at = $2', [
                  coin,
                  new Date(atMs),
                ])
              await markHoldersDirty({ db, changes: [{ coinId: coin, from: new Date(atMs) }] })
            }
            expect(await runSchedule(nowMs)).toEqual([])
          }
          const together = await figuresOf(account)
          await forgetFigures(pool, account)
          await account.compute()
          expect(together).toEqual(await figuresOf(account))
          seen.rows += together.length
          await forgetFigures(pool, account)
        },
      )
      .beforeEach(() => seedDailyPrices(pool, MARKET)),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(seen.together).toBeGreaterThan(2 * RUNS)
  expect(seen.alone).toBeGreaterThan(2 * RUNS)
  expect(seen.rows).toBeGreaterThan(100 * RUNS)
})

test('a first price that is deleted again leaves no cost behind', async () => {
  await seedDailyPrices(pool, MARKET)
  const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
  for (const holder of HOLDERS) await account.follow(holder, 'average')
  const [coinId, tx] = ['never-priced', 0x6000_0000]
  await account.store([
    {
      holder: 'ethereum',
      tx,
      atMs: START_MS,
      seq: 0,
      role: 'transfer',
      coinId,
      raw: 10n ** 18n,
      priceUsd: null,
    },
  ])
  await account.compute(NOW_MS - DAY_MS)
  const before = await figuresOf(account)
  const at = startOfPeriod('daily', NOW_MS) - DAY_MS
  await putPrice(db, { table: 'price_days', coinId, atMs: at, usd: '5' })
  await markHoldersDirty({ db, changes: [{ coinId, from: new Date(at) }] })
  expect(await runSchedule(NOW_MS - DAY_MS)).toEqual([])
  expect(await figuresOf(account)).not.toEqual(before)
  await pool.query('delete from price_days where coin_id = $1', [coinId])
  await markHoldersDirty({ db, changes: [{ coinId, from: new Date(at) }] })
  expect(await runSchedule(NOW_MS - DAY_MS)).toEqual([])
  expect(await figuresOf(account)).toEqual(before)
})

const BOOKS = 130
const YESTERDAY_MS = startOfPeriod('daily', NOW_MS) - DAY_MS

/** Books of as many wallets, each with an ether since long ago, computed up to yesterday's midnight. */
async function insertQuietBooks(firstWallet: number): Promise<string[]> {
  const wallets = Array.from({ length: BOOKS }, (_, index) => String(firstWallet + index))
  await insertMovements(
    pool,
    wallets.map((walletId, index) => ({
      walletId,
      networkId: 'ethereum',
      atMs: START_MS,
      txHash: `0x${walletId}`,
      seq: 0,
      role: 'transfer',
      coinId: 'ethereum',
      raw: BigInt(index + 1) * 10n ** 18n,
    })),
  )
  const { rows } = await pool.query<{ id: string }>(
    `with made as (
       insert into books (wallet_id, network_id) select id, 'ethereum' from unnest($1::bigint[]) as id returning id, wallet_id
     ), state as (insert into pl_states (book_id, computed_to) select id, $2 from made)
     insert into balance_days (book_id, coin_id, at, raw, decimals)
     select id, 'ethereum', $3, (wallet_id - $4 + 1) * 10::numeric ^ 18, 18 from made order by id returning book_id as id`,
    [wallets, new Date(YESTERDAY_MS), new Date(startOfPeriod('daily', START_MS) + DAY_MS), firstWallet],
  )
  return rows.map(({ id }) => id)
}

const lastDays = async (bookIds: readonly string[]) => {
  const { rows } = await pool.query<{ book_id: string; xmin: string; is_right: boolean }>(
    `select book_id, day.xmin::text, value_usd = usd * raw / 10::numeric ^ 18 and flow_usd = 0 as is_right
     from pl_days as day join balance_days using (book_id) join price_days using (coin_id)
     where book_id = any($1) and day.at = $2 and price_days.at = $2`,
    [bookIds, new Date(YESTERDAY_MS + DAY_MS)],
  )
  return rows
}

test('at midnight books with the same holdings are valued a hundred in a transaction', async () => {
  await seedDailyPrices(pool, MARKET)
  const bookIds = await insertQuietBooks(1_000_000)
  expect(await runSchedule(NOW_MS)).toEqual([])
  const days = await lastDays(bookIds)
  expect(days).toHaveLength(BOOKS)
  expect(days.filter(({ is_right: isRight }) => !isRight)).toEqual([])
  expect(new Set(days.map(({ xmin }) => xmin)).size).toBe(2)
  const { rows } = await pool.query(
    'select from scopes join folds on scope_id = scopes.id where book_id = any($1)',
    [bookIds],
  )
  expect(rows).toEqual([])
  await pool.query('delete from pl_states where book_id = any($1)', [bookIds])
})

test('29 a book that fails is set aside alone, also among a hundred others', async () => {
  const bookIds = await insertQuietBooks(2_000_000)
  const poisoned = bookIds[42]!
  await pool.query(`
    create function refuse_book() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$;
    create trigger refuse_book before insert on pl_days for each row when (new.book_id = ${poisoned}) execute function refuse_book()`)
  expect(await runSchedule(NOW_MS)).toEqual([`book ${poisoned}`])
  const days = await lastDays(bookIds)
  expect(days.map(({ book_id: id }) => id).toSorted()).toEqual(
    bookIds.filter((id) => id !== poisoned).toSorted(),
  )
  await pool.query('drop trigger refuse_book on pl_days')
  expect(await runSchedule(NOW_MS)).toEqual([])
  expect(await lastDays(bookIds)).toHaveLength(BOOKS)
})
