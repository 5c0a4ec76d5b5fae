import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueBooks } from '../../db/pnl/periods/due-books.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { type BookKey, readBooks, markBookDirty } from '../../db/pnl/books.ts'
import type { Role, Treatment } from '../../db/pnl/legs/roles.ts'
import { valuesInDetail } from '../../db/pnl/periods/values-in-detail.ts'
import { listTreatments, treatRole } from '../../db/portfolios/treat-role.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { insertPrices } from '../setup/factories.ts'
import { expectLawThree, foldBook } from './law-three.ts'
import { computedRows, insertMovements } from './world.ts'

// Coins received without payment are income, unless the operator treats them as a flow in a book.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close(), reader.close()]))

const START_MS = Date.parse('2024-03-01')
const NOW_MS = START_MS + 5 * DAY_MS
const NETWORK = 'ethereum'
const asked = { askedBy: 'ann', now: new Date('2026-11-24T03:00:00Z') }

/** Creates a wallet that receives 10 ether, 1 as a reward a day later and 1 as interest the day after. */
async function staker(address: string): Promise<{ id: string; walletId: string }> {
  const { rows } = await owner.pool.query<{ id: string }>(
    'insert into wallets (address) values ($1) returning id',
    [address],
  )
  const walletId = rows[0]!.id
  const portfolio = await owner.pool.query<{ id: string }>(
    `insert into portfolios (id, account_id, kind, address, network_id)
     select gen_random_uuid(), id, 'wallet', $1, $2 from accounts returning id`,
    [address, NETWORK],
  )
  const legs: [Role, bigint][] = [
    ['transfer', 10n],
    ['reward', 1n],
    ['interest', 1n],
  ]
  await insertMovements(
    owner.pool,
    legs.map(([role, ether], day) => ({
      walletId,
      networkId: NETWORK,
      atMs: START_MS + day * DAY_MS + 12 * HOUR_MS,
      txHash: `${address} ${day}`,
      seq: 0,
      role,
      coinId: 'ethereum',
      raw: ether * 10n ** 18n,
      priceUsd: '100',
    })),
  )
  const book = { walletId, networkId: NETWORK }
  await markBookDirty({ db, book, from: new Date(START_MS) })
  await compute(book)
  return { id: portfolio.rows[0]!.id, walletId }
}

async function compute(book: BookKey): Promise<void> {
  await recomputeBook({ pool, book, nowMs: NOW_MS })
  await foldBook({ connection: { db, pool }, book, nowMs: NOW_MS })
}

/** Recomputes due books, as the schedule does. */
async function refresh(): Promise<void> {
  for (const due of await dueBooks({ db, midnight: new Date(NOW_MS), afterId: '0', limit: 100 }))
    await compute(due)
}

async function figures(walletId: string) {
  const [book] = await readBooks(reader.db, [{ walletId, networkId: NETWORK }])
  const days = await pool.query<{ flow_usd: string }>(
    'select flow_usd from pl_days where book_id = $1 order by at',
    [book!.id],
  )
  const lots = await pool.query<{ cost_usd: string }>(
    `select cost_usd from coin_folds where fold_id =
       (select f.id from folds f join scopes s on s.id = scope_id where book_id = $1)`,
    [book!.id],
  )
  const { profitUsd } = await expectLawThree({ db: reader.db, books: [book!], nowMs: NOW_MS })
  return {
    flows: days.rows.map((row) => Number(row.flow_usd)),
    cost: Number(lots.rows[0]!.cost_usd),
    profitUsd,
  }
}

const treat = (id: string, role: 'reward', treatment: Treatment | null) =>
  treatRole(owner.db, { id, role, treatment, ...asked })

beforeAll(async () => {
  await createAccount(owner.db, { name: 'acme', plan: 'free' })
  const points = [0, 1, 2, 3, 4, 5].map((day) => [new Date(START_MS + day * DAY_MS), '100'] as const)
  for (const coinId of ['ethereum', 'bitcoin'])
    await insertPrices(owner.db, { coinId, resolution: 'day', points })
})

test('an operator can count the rewards of one book as a flow, and as income again', async () => {
  const [mine, other] = [await staker('0x1'), await staker('0x2')]
  const asIncome = { flows: [1_000, 0, 0, 0, 0], cost: 1_000, profitUsd: 200 }
  expect(await figures(mine.walletId)).toEqual(asIncome)
  const rows = () => computedRows(pool, mine.walletId, NETWORK)
  const before = await rows()

  expect(await treat(mine.id, 'reward', 'flow')).toBe(true)
  await refresh()
  expect(await figures(mine.walletId)).toEqual({ flows: [1_000, 100, 0, 0, 0], cost: 1_100, profitUsd: 100 })
  expect(await figures(other.walletId)).toEqual(asIncome)
  // The explanation of the day shows the flow and marks it as corrected.
  const [book] = await readBooks(reader.db, [{ walletId: mine.walletId, networkId: NETWORK }])
  const [fromMs, toMs] = [START_MS + DAY_MS, START_MS + 2 * DAY_MS]
  const [found] = await valuesInDetail({ db: reader.db, books: [book!], fromMs, toMs, instantsMs: [toMs] })
  expect(found!.flows.flatMap(({ terms }) => terms.map(({ leg }) => leg))).toEqual([
    expect.objectContaining({ role: 'reward', isCorrected: true }),
  ])
  expect(await listTreatments(owner.db, mine)).toEqual([
    { role: 'reward', treatment: 'flow', asked_by: 'ann', asked_at: asked.now },
  ])

  expect(await treat(mine.id, 'reward', null)).toBe(true)
  await refresh()
  expect(await figures(mine.walletId)).toEqual(asIncome)
  expect(await rows()).toEqual(before)
  expect(await listTreatments(owner.db, mine)).toEqual([])
})

test('a treatment recomputes its book at once', async () => {
  const { id } = await staker('0x3')
  await treat(id, 'reward', 'flow')
  const { rows } = await owner.pool.query('select workflow_id from outbox')
  expect(rows).toContainEqual({ workflow_id: `sync:0x3:${NETWORK}` })
})

test('a book that was never computed keeps a treatment, and a deleted one takes none', async () => {
  const manual = await owner.pool.query<{ id: string }>(
    `insert into portfolios (id, account_id, kind, name)
     select gen_random_uuid(), id, 'manual', 'By hand' from accounts returning id`,
  )
  const { id } = manual.rows[0]!
  expect(await treat(id, 'reward', 'flow')).toBe(true)
  expect(await listTreatments(owner.db, { id })).toHaveLength(1)
  expect(await treat('01990000-0000-7000-8000-000000000001', 'reward', 'flow')).toBe(false)
})
