import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readPortfolioBooks, markAccountDirty, markBookDirty } from '../../db/pnl/books.ts'
import { dueAccounts, dueBooks } from '../../db/pnl/periods/due-books.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { markHoldersDirty } from '../../db/pnl/valuation/price-changes.ts'
import { readCoins } from '../../db/pnl/lots/read-coins.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { createAccount, type TestLeg } from './account-world.ts'
import { foldBook, refreshAccount } from './law-three.ts'
import { putPrice } from './world.ts'

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 8, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => Promise.all([connection.close(), api.close()]))

const START_MS = Date.parse('2024-03-01')
const NOW_MS = START_MS + 10 * DAY_MS

beforeAll(async () => {
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(START_MS - DAY_MS), new Date(NOW_MS)])
  for (let day = 0; day <= 10; day++)
    for (const [coinId, usd] of [
      ['ethereum', 2000 + day],
      ['bitcoin', 60_000],
    ] as const)
      await putPrice(db, { table: 'price_days', coinId, atMs: START_MS + day * DAY_MS, usd: String(usd) })
})

const text = formatDecimal
const due = async () => [
  ...(await dueBooks({ db, midnight: new Date(NOW_MS), afterId: '0', limit: 100 })),
  ...(await dueAccounts({ db, limit: 100 })),
]

test('a manual portfolio is computed from its records, even from back-dated ones', async () => {
  const account = await createAccount({ connection, number: 1, nowMs: NOW_MS })
  const portfolioId = account.ids.manual
  await account.follow('manual', 'fifo')
  const state = async (id: number, day: number, count: string, price: string | null) => {
    const at = new Date(START_MS + day * DAY_MS + HOUR_MS)
    await pool.query(
      `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, price_usd, source, fetched_at)
       values ($1, $2, $3, 'ethereum', $4, $5, 'USD', coalesce($5, 2000 + $6::numeric), 'test', now())`,
      [`00000000-0000-4000-8000-00000000000${id}`, portfolioId, at, count, price, day],
    )
    await pool.query('select mark_manual_dirty($1, $2)', [portfolioId, at])
  }
  const profits = async () => {
    const books = [...(await readPortfolioBooks(api.db, [portfolioId])).values()]
    const window = { interval: 'daily', fromMs: null, toMs: NOW_MS, currency: 'USD' } as const
    const days = (await readPlPeriods({ db: api.db, books, ...window }))!
    const foldId = await findFold(api.db, { books, method: 'fifo' })
    const [coin] = await readCoins(api.db, { foldId: foldId!, nowMs: NOW_MS })
    const { count, totalCost, profit } = coin!.item.usd
    return [
      days.map(({ closing, flow }) => [text(closing), text(flow)]),
      [count, totalCost, profit.realized].map(text),
    ]
  }

  await state(1, 1, '2', '1900')
  expect(await due()).toContainEqual(expect.objectContaining({ portfolioId }))
  await account.compute()
  expect(await due()).toEqual([])
  // The sale exceeds the holding, so one unit is an opening at the price of the sale.
  await state(2, 8, '-3', '2100')
  await account.compute()
  expect(await profits()).toEqual([
    [
      ['4004', '3800'],
      ...[3, 4, 5, 6, 7, 8].map((day) => [String(2 * (2000 + day)), '0']),
      ['0', '-4200'],
      ['0', '0'],
    ],
    ['0', '0', '400'],
  ])
  await state(3, 4, '2', null)
  await account.compute()
  const [days, figures] = await profits()
  expect([days![3], days!.at(-1)]).toEqual([
    ['8020', '4008'],
    ['2010', '0'],
  ])
  // FIFO sold the oldest lots; the rest cost the price in force on its day.
  expect(figures).toEqual(['1', '2004', '496'])

  // A corrected price changes records without a price.
  await putPrice(db, { table: 'price_days', coinId: 'ethereum', atMs: START_MS + 4 * DAY_MS, usd: '2104' })
  await markHoldersDirty({ db, changes: [{ coinId: 'ethereum', from: new Date(START_MS + 4 * DAY_MS) }] })
  await account.compute()
  expect((await profits())[1]).toEqual(['1', '2104', '396'])
  const { rows } = await pool.query(`select price_usd from manual_transactions order by id`)
  expect(rows.map(({ price_usd }) => price_usd)).toEqual(['1900', '2100', '2104'])
})

test('accounts with changed portfolios are due until they are settled', async () => {
  const account = await createAccount({ connection, number: 2, nowMs: NOW_MS })
  const { accountId } = account
  await account.follow('ethereum')
  expect(await due()).toEqual([{ accountId }])
  await account.compute()
  expect(await due()).toEqual([])
  await markAccountDirty(db, accountId)
  expect(await due()).toEqual([{ accountId }])
  await refreshAccount({ connection, accountId, nowMs: NOW_MS })
  expect(await due()).toEqual([])
})

test('a portfolio that was given up leaves the scope of its account', async () => {
  const account = await createAccount({ connection, number: 5, nowMs: NOW_MS })
  await account.follow('ethereum')
  await account.follow('base-wallet')
  await account.compute()
  await pool.query('update portfolios set account_id = null where id = $1', [account.ids.ethereum])
  await markAccountDirty(db, account.accountId)
  await account.compute()
  const { rows } = await pool.query(
    `select count(*)::integer as books from scope_books join scopes on id = scope_id where account_id = $1`,
    [account.accountId],
  )
  expect(rows).toEqual([{ books: 1 }])
})

test('concurrent computations of the same accounts do not deadlock, and find all own transfers', async () => {
  const account = await createAccount({ connection, number: 3, nowMs: NOW_MS })
  const { accountId, keys, walletId } = account
  await account.follow('ethereum')
  await account.follow('base-wallet')
  await account.follow('manual')
  const follower = await createAccount({ connection, number: 4, nowMs: NOW_MS })
  await pool.query(
    `insert into portfolios (id, account_id, kind, address, network_id)
     select gen_random_uuid(), $1, 'wallet', address, network from wallets, unnest(array['ethereum', 'base-wallet']) as network
     where id = $2`,
    [follower.accountId, walletId],
  )
  await markAccountDirty(db, follower.accountId)
  const transfer = (tx: number, holder: TestLeg['holder'], raw: bigint): TestLeg => ({
    holder,
    tx,
    atMs: START_MS + tx * HOUR_MS,
    seq: 0,
    role: 'transfer',
    coinId: 'ethereum',
    raw,
    priceUsd: null,
  })
  for (let round = 0; round < 12; round++) {
    const tx = 10 * round
    await account.store([transfer(tx, 'ethereum', 10n ** 18n + BigInt(round))])
    await account.store([transfer(tx + 1, 'ethereum', -(10n ** 18n) - BigInt(round))])
    await account.store([transfer(tx + 2, 'base-wallet', 10n ** 18n + BigInt(round))])
    await account.store([transfer(tx + 3, 'base-wallet', -(10n ** 17n) - BigInt(round))])
    await account.store([transfer(tx + 4, 'manual', 10n ** 17n + BigInt(round))])
    const compute = async (book: (typeof keys)['manual']): Promise<void> => {
      await recomputeBook({ pool, book, nowMs: NOW_MS })
      await foldBook({ connection, book, nowMs: NOW_MS })
    }
    await Promise.all([
      ...[keys.ethereum, keys['base-wallet'], keys.manual].map(compute),
      ...[accountId, follower.accountId].map((id) =>
        refreshAccount({ connection, accountId: id, nowMs: NOW_MS }),
      ),
      markBookDirty({ db, book: keys.ethereum, from: new Date(START_MS + tx * HOUR_MS) }),
    ])
  }
  await account.compute()
  const { rows } = await pool.query(
    `select coalesce(account_id::text, 'wallet') as owner, count(*)::integer as found
     from transfer_matches join scopes on id = scope_id group by 1`,
  )
  expect(Object.fromEntries(rows.map(({ owner, found }) => [owner, found]))).toEqual({
    wallet: 12,
    [accountId]: 24,
    [follower.accountId]: 12,
  })
})
