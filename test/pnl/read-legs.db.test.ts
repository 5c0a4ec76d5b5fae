import { afterAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { type LegRow, legSource } from '../../db/pnl/legs/leg-source.ts'
import { readLegs, readLegsOf } from '../../db/pnl/legs/read-legs.ts'
import { testDatabase } from '../setup/database.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)

const FROM_MS = Date.parse('2024-01-01')
const BOOK = { id: '1', walletId: '1', networkId: 'ethereum' }

test('pages of legs end between instants and add up to the ledger', async () => {
  // 1,000 instants of 30 legs, one of 25,000, and 1,000 of 30 again; some have prices.
  await pool.query(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
       decimals, price_usd, source, fetched_at)
     select 1, 'ethereum', $1::timestamptz + instant * interval '1.0004 seconds', 0, '0xblock', 0, '0x' || leg / 3, leg % 3,
       case when leg % 7 = 0 then 'fee' else 'transfer' end, 'a "coin", ' || leg % 5, (leg - 15) * 10::numeric ^ 20, 18,
       case when leg % 4 > 0 then leg / 7.0 end, 'test', now()
     from generate_series(0, 2000) as instant
     cross join lateral generate_series(1, case when instant = 1000 then 25000 else 30 end) as leg`,
    [new Date(FROM_MS)],
  )
  const toMs = FROM_MS + 3_600_000
  const pages: LegRow[][] = []
  for await (const page of readLegs({ db, book: BOOK, fromMs: FROM_MS, toMs })) pages.push(page)
  const { rows } = await legSource(BOOK)
    .legs({ from: new Date(FROM_MS), to: new Date(toMs) })
    .execute(db)
  expect(rows).toHaveLength(85_000)
  expect(pages.flat()).toEqual(rows)
  const sizes = pages.map((page) => page.length)
  expect(sizes).toEqual([4_980, 4_980, 4_980, 4_980, 4_980, 4_980, 120, 39_970, 4_980, 4_980, 4_980, 90])
  expect(new Set(pages.map((page) => page[0]!.at_ms)).size).toBe(pages.length)
})

test('a book without legs in a window has an empty page', async () => {
  const pages: LegRow[][] = []
  for await (const page of readLegs({ db, book: BOOK, fromMs: 0, toMs: FROM_MS })) pages.push(page)
  expect(pages).toEqual([[]])
})

test('the legs of several books together are those of each, in the order of the books', async () => {
  await pool.query(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
       decimals, source, fetched_at)
     select wallet, 'base', $1::timestamptz + leg * interval '1 second', 0, '0xblock', 0, '0x' || leg, 0, 'transfer', 'coin',
       wallet * leg, 18, 'test', now()
     from generate_series(2, 3) as wallet cross join generate_series(1, 9) as leg`,
    [new Date(FROM_MS)],
  )
  const books = ['3', '4', '1', '2'].map((walletId) => ({ id: walletId, walletId, networkId: 'base' }))
  const window = { fromMs: FROM_MS, toMs: FROM_MS + 8_000 }
  const each = await Promise.all(
    books.map(async (book) => {
      const pages: LegRow[][] = []
      for await (const page of readLegs({ db, book, ...window })) pages.push(page)
      return pages.flat()
    }),
  )
  expect(each.map((legs) => legs.length)).toEqual([7, 0, 0, 7])
  const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  expect(await readLegsOf({ db: reader.db, books, ...window })).toEqual(each)
  await reader.close()
})
