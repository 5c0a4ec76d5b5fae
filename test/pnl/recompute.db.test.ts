import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { openDb } from '../../db/connect.ts'
import { markBookDirty } from '../../db/pnl/books.ts'
import { markHoldersDirty } from '../../db/pnl/valuation/price-changes.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { cutPoints, DAY_MS, HOUR_MS, startOfPeriod } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { runs } from '../setup/runs.ts'
import { computedRows, insertMovements, loadWorld, putPrice, seedDailyPrices } from './world.ts'
import type { TestMovement } from './world.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

const START_MS = Date.parse('2024-01-01')
// More than one window of recomputeBook, so that the borders between windows are tested.
const DAYS = 80
const NOW_MS = START_MS + DAYS * DAY_MS + 5 * HOUR_MS
const COINS = ['ethereum', 'usd-coin', 'bitcoin', 'late-coin', 'gap-coin', 'never-priced']
const NETWORK = 'ethereum'
const RUNS = runs({ short: 25, long: 1_000 })

beforeAll(async () => {
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(START_MS - DAY_MS), new Date(NOW_MS)])
})

/** Daily prices with gaps and some hourly ones; `late-coin` starts in the middle, `never-priced` has none. */
async function seedPrices(): Promise<void> {
  const coinIds = COINS.filter((coinId) => coinId !== 'never-priced')
  await seedDailyPrices(pool, { coinIds, from: new Date(START_MS), to: new Date(NOW_MS) })
  await pool.query(
    `insert into price_hours
     select coin_id, at + interval '7 hours', usd * 1.01, 'test', at from price_days
     where at < $1::timestamptz - interval '7 hours' and coin_id <> 'gap-coin'`,
    [new Date(NOW_MS)],
  )
}

const minute = fc.integer({ min: 0, max: DAYS * 24 * 60 }).map((value) => START_MS + value * 60_000)
const coin = fc.constantFrom(...COINS)
const raw = fc.bigInt(-(10n ** 21n), 10n ** 21n)
const role = fc.constantFrom<Role>('transfer', 'transfer', 'fee', 'airdrop', 'reward', 'opening', 'spam')
const price = fc.option(fc.integer({ min: 1, max: 10 ** 7 }).map((cents) => (cents / 100).toString()))

type Step =
  | {
      kind: 'movements'
      transactions: {
        atMs: number
        legs: { role: Role; coin: string; raw: bigint; price: string | null }[]
      }[]
    }
  | { kind: 'delete'; pick: number }
  | { kind: 'relabel'; pick: number; role: Role }
  | { kind: 'reorg'; atMs: number }
  | { kind: 'price'; table: 'price_hours' | 'price_days'; coin: string; atMs: number; usd: string }
  | { kind: 'price gone'; coin: string; atMs: number }

const transaction = fc.oneof(
  fc.record({
    atMs: minute,
    legs: fc.array(fc.record({ role, coin, raw, price }), { minLength: 1, maxLength: 3 }),
  }),
  fc
    .record({
      atMs: minute,
      kind: fc.constantFrom<Role>('trade', 'wrap'),
      from: coin,
      to: coin,
      raw,
      other: raw,
      price,
    })
    .map((swap) => ({
      atMs: swap.atMs,
      legs: [
        { role: swap.kind, coin: swap.from, raw: swap.raw, price: null },
        { role: swap.kind, coin: swap.to, raw: swap.other, price: swap.price },
      ],
    })),
)
const movements = fc
  .array(transaction, { minLength: 1, maxLength: 6 })
  .map((transactions): Step => ({ kind: 'movements', transactions }))
const step: fc.Arbitrary<Step> = fc.oneof(
  movements,
  fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('relabel' as const), pick: fc.nat(), role }),
  fc.record({ kind: fc.constant('reorg' as const), atMs: minute }),
  fc.record({
    kind: fc.constant('price' as const),
    table: fc.constantFrom('price_hours' as const, 'price_days' as const),
    coin,
    atMs: minute,
    usd: fc.integer({ min: 1, max: 10 ** 6 }).map((value) => (value / 1000).toString()),
  }),
  fc.record({ kind: fc.constant('price gone' as const), coin, atMs: minute }),
)

/** SQL that picks one transaction of a wallet ($1) by any number ($2). */
const PICKED = `(select tx_hash from movements where wallet_id = $1 order by tx_hash
  offset $2 % greatest(1, (select count(*) from movements where wallet_id = $1)) limit 1)`

let transactions = 0
let wallets = 0

async function apply(walletId: string, change: Step): Promise<void> {
  const scope = { db, book: { walletId, networkId: NETWORK } }
  switch (change.kind) {
    case 'movements': {
      const rows = change.transactions.flatMap(({ atMs, legs }): TestMovement[] => {
        const txHash = `0x${(transactions++).toString(16).padStart(8, '0')}`
        return legs.map((leg, seq) => ({
          walletId,
          networkId: NETWORK,
          atMs,
          txHash,
          seq,
          role: leg.role,
          coinId: leg.coin,
          raw: leg.raw,
          priceUsd: leg.price,
        }))
      })
      await insertMovements(pool, rows)
      await markBookDirty({ ...scope, from: new Date(Math.min(...rows.map((row) => row.atMs))) })
      return
    }
    case 'delete': {
      const { rows } = await pool.query<{ at: Date }>(
        `delete from movements where wallet_id = $1 and tx_hash = ${PICKED} returning at`,
        [walletId, change.pick],
      )
      if (rows[0]) await markBookDirty({ ...scope, from: rows[0].at })
      return
    }
    case 'relabel': {
      const { rows } = await pool.query<{ at: Date }>(
        `update movements set role = $3 where wallet_id = $1 and tx_hash = ${PICKED} returning at`,
        [walletId, change.pick, change.role],
      )
      if (rows[0]) await markBookDirty({ ...scope, from: rows[0].at })
      return
    }
    case 'reorg': {
      const from = new Date(change.atMs)
      await pool.query('delete from movements where wallet_id = $1 and at >= $2', [walletId, from])
      await markBookDirty({ ...scope, from })
      return
    }
    case 'price': {
      const atMs = startOfPeriod(change.table === 'price_days' ? 'daily' : 'hourly', change.atMs)
      await putPrice(db, { table: change.table, coinId: change.coin, atMs, usd: change.usd })
      await markHoldersDirty({ db, changes: [{ coinId: change.coin, from: new Date(atMs) }] })
      return
    }
    case 'price gone': {
      const from = new Date(startOfPeriod('daily', change.atMs))
      for (const table of ['price_days', 'price_hours'] as const) {
        await db
          .deleteFrom(table)
          .where('coin_id', '=', change.coin)
          .where('at', '>=', from)
          .where('at', '<', new Date(from.getTime() + 3 * DAY_MS))
          .execute()
      }
      await markHoldersDirty({ db, changes: [{ coinId: change.coin, from }] })
    }
  }
}

test('after random changes an incremental run equals a full run byte for byte and the pure engine', async () => {
  let compared = 0
  await fc.assert(
    fc
      .asyncProperty(movements, fc.array(step, { minLength: 1, maxLength: 4 }), async (first, changes) => {
        const walletId = String(++wallets)
        const recompute = () => recomputeBook({ pool, book: { walletId, networkId: NETWORK }, nowMs: NOW_MS })
        await apply(walletId, first)
        await recompute()
        for (const change of changes) {
          await apply(walletId, change)
          await recompute()
        }
        const incremental = await computedRows(pool, walletId, NETWORK)
        await pool.query('delete from pl_states using books where id = book_id and wallet_id = $1', [
          walletId,
        ])
        await recompute()
        expect(await computedRows(pool, walletId, NETWORK)).toEqual(incremental)
        await expectPureResult(walletId)
        compared += incremental.length
      })
      .beforeEach(seedPrices),
    { numRuns: RUNS },
  )
  expect(compared).toBeGreaterThan(5 * RUNS)
})

async function expectPureResult(walletId: string): Promise<void> {
  const stored = await db
    .selectFrom('pl_days')
    .innerJoin('books', 'books.id', 'book_id')
    .selectAll('pl_days')
    .where('wallet_id', '=', walletId)
    .orderBy('at')
    .execute()
  const world = await loadWorld(db, walletId)
  const legs = world.legs.filter((leg) => leg.role !== 'spam')
  if (legs.length === 0) return expect(stored).toEqual([])
  const fromMs = startOfPeriod('daily', Math.min(...legs.map((leg) => leg.atMs)))
  const cutsMs = cutPoints({ interval: 'daily', fromMs, toMs: startOfPeriod('daily', NOW_MS) })
  const expected = world.periods({ accounts: [NETWORK], matches: [], fromMs, cutsMs })
  expect(stored.map((row) => [row.at.getTime(), row.value_usd, row.flow_usd])).toEqual(
    expected.map((period) => [period.endMs, period.closing, period.flow]),
  )
}
