import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recomputeBook, recomputeBookIn, recomputeBooks } from '../../activities/pnl/recompute-books.ts'
import { openDb } from '../../db/connect.ts'
import { type BookKey, openBook, markBookDirty } from '../../db/pnl/books.ts'
import { dueBooks } from '../../db/pnl/periods/due-books.ts'
import { settleChanges } from '../../db/pnl/valuation/price-changes.ts'
import { storePrices } from '../../db/prices/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { computedRows, insertMovements, seedDailyPrices } from './world.ts'

// A new price may be stored while a book is computed with the old one, or after the legs and before their
// first computation. It must count in every order.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close()]))

const START_MS = Date.parse('2024-03-01')
const NOW_MS = START_MS + 10 * DAY_MS
const NETWORK = 'ethereum'
const now = () => new Date(NOW_MS)

let wallets = 0
let book: BookKey & { walletId: string }

const storePrice = (day: number, usd: string) =>
  transact(pool, (transaction) => {
    const at = new Date(START_MS + day * DAY_MS)
    return storePrices(transaction, {
      resolution: 'day',
      points: [{ coinId: 'ethereum', at, usd, source: 'test' }],
      histories: [],
      fetchedAt: now(),
    })
  })

/** Receives three ether at noon, stored like a sync does: with the price that it has read before. */
async function receive(day: number, hash: string): Promise<void> {
  const atMs = START_MS + day * DAY_MS + 12 * HOUR_MS
  const { rows } = await pool.query<{ usd: string }>(
    `select usd from price_days where coin_id = 'ethereum' and at = $1`,
    [new Date(START_MS + day * DAY_MS)],
  )
  await insertMovements(owner.pool, [
    {
      walletId: book.walletId,
      networkId: NETWORK,
      atMs,
      txHash: hash,
      seq: 0,
      role: 'transfer' as const,
      coinId: 'ethereum',
      raw: 3n * 10n ** 18n,
      priceUsd: rows[0]!.usd,
    },
  ])
  await markBookDirty({ db, book, from: new Date(atMs), to: new Date(atMs) })
}

/** Runs the schedule until all price changes are settled. They also wait for transactions of other tests. */
async function refresh(): Promise<void> {
  await expect
    .poll(async () => {
      await settleChanges(pool)
      const books = await dueBooks({ db, midnight: now(), afterId: '0', limit: 100 })
      const onFailure = (what: string, error: unknown) => {
        throw new Error(what, { cause: error })
      }
      await recomputeBooks({ db, pool, books, nowMs: NOW_MS, onProgress: () => {}, onFailure })
      return (await pool.query('select from price_changes')).rowCount
    })
    .toBe(0)
}

/** The rows of a book that is computed from scratch. */
async function computedAnew(): Promise<string[]> {
  const { id } = await openBook(db, book)
  await pool.query(
    'update movements set price_usd = p.usd from price_days p where p.coin_id = movements.coin_id and p.at = date_trunc($1, movements.at)',
    ['day'],
  )
  await pool.query('update pl_states set computed_to = null, dirty_from = null where book_id = $1', [id])
  await recomputeBook({ pool, book, nowMs: NOW_MS })
  return computedRows(pool, book.walletId, NETWORK)
}

beforeAll(() => pool.query('select ensure_price_partitions($1, $2)', [new Date(START_MS - DAY_MS), now()]))

beforeEach(async () => {
  book = { walletId: String(++wallets), networkId: NETWORK }
  await seedDailyPrices(owner.pool, {
    coinIds: ['ethereum', 'bitcoin'],
    from: new Date(START_MS),
    to: now(),
  })
})

test('Y18 a price stored between the legs and their first computation becomes their price', async () => {
  await receive(2, '0x01')
  await storePrice(2, '5000')
  await recomputeBook({ pool, book, nowMs: NOW_MS })
  await refresh()
  const stored = await computedRows(pool, book.walletId, NETWORK)
  expect(stored).toEqual(await computedAnew())
})

/** Computes the book and meanwhile stores a price that this computation cannot see. */
async function computeWhile(store: () => Promise<number>): Promise<void> {
  let storing: Promise<number> | undefined
  await transact(pool, async (transaction) => {
    await recomputeBookIn(transaction, { book, nowMs: NOW_MS })
    // Storing may or may not wait for the book.
    storing = store()
    await Promise.race([storing, new Promise((resolve) => setTimeout(resolve, 300))])
  })
  await storing
}

test.each([
  ['for the first time', async () => {}],
  [
    'again, from before the price on',
    async () => {
      await recomputeBook({ pool, book, nowMs: NOW_MS })
      await receive(1, '0x02')
    },
  ],
  [
    'again, from after the price on',
    async () => {
      await recomputeBook({ pool, book, nowMs: NOW_MS })
      await receive(6, '0x02')
    },
  ],
])('Y18 a price stored while a book is computed %s counts in the next run', async (_, before) => {
  await receive(2, '0x01')
  await before()
  await computeWhile(() => storePrice(4, '7000'))
  await refresh()
  const stored = await computedRows(pool, book.walletId, NETWORK)
  expect(stored).toEqual(await computedAnew())
})

test('Y18 a missed price counts even after a run of later days that saw it without needing it', async () => {
  await receive(2, '0x01')
  await computeWhile(() => storePrice(4, '7000'))
  await receive(8, '0x02')
  await recomputeBook({ pool, book, nowMs: NOW_MS })
  await refresh()
  const stored = await computedRows(pool, book.walletId, NETWORK)
  expect(stored).toEqual(await computedAnew())
})

test('a late transaction costs the look-up of its own price only, not those of all later ones', async () => {
  await receive(6, '0x02')
  await recomputeBook({ pool, book, nowMs: NOW_MS })
  await pool.query('update movements set price_usd = 1 where wallet_id = $1', [book.walletId])
  await receive(2, '0x01')
  await pool.query('update movements set price_usd = 2 where wallet_id = $1 and price_usd <> 1', [
    book.walletId,
  ])
  await recomputeBook({ pool, book, nowMs: NOW_MS })
  const { rows } = await pool.query(
    'select price_usd <> 2 as is_new, price_usd = 1 as is_old from movements where wallet_id = $1 order by at',
    [book.walletId],
  )
  expect(rows).toEqual([
    { is_new: true, is_old: false },
    { is_new: true, is_old: true },
  ])
})
