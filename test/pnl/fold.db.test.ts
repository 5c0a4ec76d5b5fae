import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldLots, stateOf } from '../../activities/pnl/fold-lots.ts'
import { ledgerOf } from '../../activities/pnl/ledger.ts'
import { matchTransfers } from '../../activities/pnl/match-transfers.ts'
import { recomputeBook } from '../../activities/pnl/recompute-book.ts'
import { scopePostings } from '../../activities/pnl/scope-postings.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readBooks } from '../../db/pnl/books.ts'
import type { StoredCoin } from '../../db/pnl/coin-state.ts'
import { foldRow } from '../../db/pnl/fold-rows.ts'
import { findFold } from '../../db/pnl/folds.ts'
import { markBookDirty, markHoldersDirty } from '../../db/pnl/mark-dirty.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { foldBook } from './law-three.ts'
import { insertMovements, loadWorld, putPrice, seedDailyPrices } from './world.ts'
import type { TestMovement } from './world.ts'

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => Promise.all([connection.close(), api.close()]))

// Months that a change goes on from, and a coin that gets its first price in the middle.
const START_MS = Date.parse('2024-01-20')
const DAYS = 75
const NOW_MS = START_MS + DAYS * DAY_MS + 5 * HOUR_MS
const COINS = ['ethereum', 'bitcoin', 'usd-coin', 'late-coin']
const NETWORKS = ['ethereum', 'base-wallet']

beforeAll(async () => {
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(START_MS - DAY_MS), new Date(NOW_MS)])
})

const seedPrices = () =>
  seedDailyPrices(pool, { coinIds: COINS, from: new Date(START_MS), to: new Date(NOW_MS) })

const event = fc.record({
  kind: fc.constantFrom('in', 'in', 'out', 'swap', 'wrap', 'fee', 'airdrop', 'move', 'move'),
  minute: fc.integer({ min: 0, max: DAYS * 24 * 60 }),
  network: fc.constantFrom(0, 1),
  coin: fc.constantFrom(...COINS),
  other: fc.constantFrom(...COINS),
  raw: fc.bigInt(1n, 10n ** 21n),
  otherRaw: fc.bigInt(1n, 10n ** 21n),
  travelMs: fc.integer({ min: 1, max: 80 * HOUR_MS }),
})
const events = fc.array(event, { minLength: 1, maxLength: 8 })
const change = fc.oneof(
  events.map((late) => ({ kind: 'late' as const, late })),
  fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constant('price' as const),
    coin: fc.constantFrom(...COINS),
    day: fc.integer({ min: 1, max: DAYS }),
  }),
)

let transactions = 0
let wallets = 0

/** Each transaction has an instant of its own: what happens at once on two networks has no order. */
function movementsOf(walletId: string, items: (typeof event extends fc.Arbitrary<infer T> ? T : never)[]) {
  return items.flatMap((item): TestMovement[] => {
    const id = transactions++
    const atMs = START_MS + item.minute * 60_000 + (id % 60_000)
    const networkId = NETWORKS[item.network]!
    const common = { walletId, networkId, atMs, txHash: `0x${id.toString(16).padStart(8, '0')}`, seq: 0 }
    const one = (role: TestMovement['role'], coinId: string, raw: bigint, seq = 0): TestMovement => ({
      ...{ ...common, role, coinId, raw, seq },
    })
    // No two amounts are the same: what is not meant to be an own transfer is none.
    const raw = item.raw * 100_000n + BigInt(id)
    if (item.kind === 'in') return [one('transfer', item.coin, raw)]
    if (item.kind === 'out') return [one('transfer', item.coin, -raw)]
    if (item.kind === 'fee') return [one('fee', item.coin, -item.raw)]
    if (item.kind === 'airdrop') return [one('airdrop', item.coin, item.raw)]
    if (item.kind === 'swap' || item.kind === 'wrap') {
      const role = item.kind === 'swap' ? 'trade' : 'wrap'
      return item.coin === item.other
        ? []
        : [one(role, item.coin, -item.raw), one(role, item.other, item.otherRaw, 1)]
    }
    const coinId = item.coin === 'late-coin' ? 'usd-coin' : item.coin
    const there = {
      networkId: NETWORKS[1 - item.network]!,
      atMs: atMs + item.travelMs,
      txHash: `${common.txHash}a`,
    }
    return [one('transfer', coinId, -item.raw), { ...one('transfer', coinId, item.raw), ...there }]
  })
}

async function store(walletId: string, rows: TestMovement[]): Promise<void> {
  const kept = rows.filter((row) => row.atMs < NOW_MS)
  if (kept.length === 0) return
  await insertMovements(pool, kept)
  for (const [networkId, own] of Map.groupBy(kept, (row) => row.networkId)) {
    const from = new Date(Math.min(...own.map((row) => row.atMs)))
    await markBookDirty({ db, book: { walletId, networkId }, from })
  }
}

async function compute(walletId: string): Promise<void> {
  for (const networkId of NETWORKS) {
    const book = { walletId, networkId }
    await recomputeBook({ pool, book, nowMs: NOW_MS })
    await foldBook({ connection, book, nowMs: NOW_MS })
  }
}

async function rowsOf(walletId: string): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `with fold as (
       select f.id from folds f join scopes s on s.id = f.scope_id left join books b on b.id = s.book_id
       where $1 in (s.wallet_id, b.wallet_id))
     select coin_folds::text as row from coin_folds join fold on id = fold_id
     union all select coin_moves::text from coin_moves join fold on id = fold_id order by 1`,
    [walletId],
  )
  return rows.map(({ row }) => row)
}

test('folds after changes equal those of a full run, byte for byte, and those of the pure engine', async () => {
  let compared = 0
  await fc.assert(
    fc
      .asyncProperty(events, fc.array(change, { minLength: 1, maxLength: 3 }), async (first, changes) => {
        const walletId = String(++wallets)
        await store(walletId, movementsOf(walletId, first))
        await compute(walletId)
        for (const step of changes) {
          if (step.kind === 'late') await store(walletId, movementsOf(walletId, step.late))
          else if (step.kind === 'price') {
            const atMs = START_MS + step.day * DAY_MS
            await putPrice(db, { table: 'price_days', coinId: step.coin, atMs, usd: '123.45' })
            await markHoldersDirty({ db, changes: [{ coinId: step.coin, from: new Date(atMs) }] })
          } else {
            const { rows } = await pool.query<{ at: Date; network_id: string }>(
              `delete from movements where wallet_id = $1 and tx_hash = (
                 select tx_hash from movements where wallet_id = $1 order by tx_hash
                 offset $2 % greatest(1, (select count(*) from movements where wallet_id = $1)) limit 1)
               returning at, network_id`,
              [walletId, step.pick],
            )
            for (const { at, network_id: networkId } of rows)
              await markBookDirty({ db, book: { walletId, networkId }, from: at })
          }
          await compute(walletId)
        }
        const incremental = await rowsOf(walletId)
        await pool.query(
          `update folds set dirty_from = 'epoch' where scope_id in (
             select id from scopes where wallet_id = $1 or book_id in (select id from books where wallet_id = $1))`,
          [walletId],
        )
        await compute(walletId)
        expect(await rowsOf(walletId)).toEqual(incremental)
        await expectPure(walletId)
        compared += incremental.length
      })
      .beforeEach(seedPrices),
    { numRuns: 25 },
  )
  expect(compared).toBeGreaterThan(200)
}, 120_000)

async function expectPure(walletId: string): Promise<void> {
  const world = await loadWorld(db, walletId)
  const matches = matchTransfers(world.legs)
  for (const networks of [['ethereum'], ['base-wallet'], NETWORKS]) {
    const books = await readBooks(
      api.db,
      networks.map((networkId) => ({ walletId, networkId })),
    )
    const foldId = (await findFold(api.db, { books }))!
    const ledger = ledgerOf({ legs: world.legs, matches, accounts: new Set(networks) })
    const rules = {
      isStable: () => false,
      trust: (id: string) => (['ethereum', 'bitcoin'].includes(id) ? 1 : 0),
    }
    const coins = foldLots({
      entries: scopePostings({ ledger, prices: world.prices, rules }),
      method: 'average',
    })
    const { rows } = await pool.query(
      `select distinct on (coin_id) * from coin_folds where fold_id = $1 order by coin_id, month desc`,
      [foldId],
    )
    const expected = [...coins].map(([coinId, coin]) => {
      const state: StoredCoin = stateOf(coin)
      return pick(
        foldRow({ foldId, coinId, month: new Date(0), states: { usd: state, btc: state, eth: state } }),
      )
    })
    expect(rows.map(pick).sort(byCoin)).toEqual(expected.sort(byCoin))
  }
}

const FIGURES = [
  ...[
    'coin_id',
    'quantity',
    'acquired_quantity',
    'disposed_quantity',
    'sold_quantity',
    'uncovered',
    'last_side',
  ],
  ...[
    'last_quantity',
    'cost_usd',
    'acquired_usd',
    'disposed_usd',
    'disposed_cost_usd',
    'sold_usd',
    'last_usd',
  ],
]
const pick = (row: object) =>
  Object.fromEntries(FIGURES.map((name) => [name, (row as Record<string, unknown>)[name]]))
const byCoin = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a['coin_id']) < String(b['coin_id']) ? -1 : 1
