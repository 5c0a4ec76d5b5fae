import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldLots, stateOf } from '../../db/pnl/lots/fold-lots.ts'
import { ledgerOf } from './engine/ledger.ts'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import { scopePostings } from './engine/scope-postings.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { type BookSet, readPortfolioBooks, markAccountDirty } from '../../db/pnl/books.ts'
import { foldRow } from '../../db/pnl/lots/fold-rows.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import type { PeriodValues } from '../../db/pnl/periods/period-profit.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { markHoldersDirty } from '../../db/pnl/valuation/price-changes.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { atLeast, runs } from '../setup/runs.ts'
import { COINS, DAYS, event, legsOf, MARKET, NOW_MS, START_MS } from './account-events.ts'
import { createAccount, type Holder, HOLDERS } from './account-world.ts'
import { foldedRows, forgetFigures } from './folded-rows.ts'
import { insertMarket, loadPrices, putPrice, seedDailyPrices } from './world.ts'

const RUNS = runs({ short: 2, long: 1_000 })
const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => Promise.all([connection.close(), api.close()]))

beforeAll(() => insertMarket(connection, MARKET))

const events = fc.array(event, { minLength: 1, maxLength: 8 })
const method = fc.constantFrom(...COST_METHODS)
const holder = fc.constantFrom(...HOLDERS)
const change = fc.oneof(
  events.map((late) => ({ kind: 'late' as const, late })),
  fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constant('relabel' as const),
    pick: fc.nat(),
    role: fc.constantFrom<Role>('transfer', 'airdrop', 'interest', 'fee'),
  }),
  fc.record({
    kind: fc.constant('price' as const),
    coin: fc.constantFrom(...COINS),
    day: fc.integer({ min: 1, max: DAYS }),
  }),
  fc.record({ kind: fc.constant('leave' as const), holder }),
  fc.record({ kind: fc.constant('method' as const), holder, method }),
  fc.record({ kind: fc.constant('account method' as const), method }),
)
type Account = Awaited<ReturnType<typeof createAccount>>
type Step = typeof change extends fc.Arbitrary<infer T> ? T : never

let accounts = 0

async function apply(account: Account, step: Step): Promise<void> {
  if (step.kind === 'late') await account.store(legsOf(step.late))
  else if (step.kind === 'delete') await account.remove(step.pick)
  else if (step.kind === 'relabel') await account.relabel(step.pick, step.role)
  else if (step.kind === 'leave') await account.leave(step.holder)
  else if (step.kind === 'method') {
    if (account.held.has(step.holder)) await account.follow(step.holder, step.method)
  } else if (step.kind === 'account method') {
    const { accountId } = account
    await pool.query('update accounts set cost_method = $2 where id = $1', [accountId, step.method])
    await markAccountDirty(db, accountId)
  } else {
    const atMs = START_MS + step.day * DAY_MS
    await putPrice(db, { table: 'price_days', coinId: step.coin, atMs, usd: '123.45' })
    await markHoldersDirty({ db, changes: [{ coinId: step.coin, from: new Date(atMs) }] })
  }
}

test('figures after any changes equal a full run byte for byte and the pure engine, by every method', async () => {
  const compared = { rows: 0, lots: 0, matches: 0, bridges: 0, coins: 0 }
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(event, { minLength: 16, maxLength: 24 }),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.array(method, { minLength: 4, maxLength: 4 }),
        async (first, changes, methods) => {
          const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
          for (const [index, own] of HOLDERS.entries()) await account.follow(own, methods[index])
          await account.store(legsOf(first))
          await account.compute()
          for (const step of changes) {
            await apply(account, step)
            await account.compute()
          }
          const incremental = await foldedRows(pool, account)
          await forgetFigures(pool, account)
          await account.compute()
          expect(await foldedRows(pool, account)).toEqual(incremental)
          compared.coins += await expectPure(account)
          compared.rows += incremental.length
          compared.lots += incremental.filter((row) => row.includes('"lots_usd": [[')).length
          const matches = incremental.filter((row) => row.includes('"to_seq"'))
          compared.matches += matches.length
          compared.bridges += matches.filter((row) => !row.includes('"fee": 0,')).length
        },
      )
      .beforeEach(() => seedDailyPrices(pool, MARKET)),
    // No shrinking, because each run takes long.
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(compared.rows).toBeGreaterThan(5 * RUNS)
  expect(compared.lots).toBeGreaterThanOrEqual(atLeast(RUNS, 1))
  expect(compared.matches).toBeGreaterThanOrEqual(atLeast(RUNS, 1))
  expect(compared.bridges).toBeGreaterThanOrEqual(atLeast(RUNS, 3))
  expect(compared.coins).toBeGreaterThan(RUNS)
})

/**
 * Compares coin rows and history of all scopes with the pure engine: each book with the method of its
 * portfolio, the wallet with `average`, the account with its own method. Returns the number of coin rows.
 */
async function expectPure({ accountId, ids, keys, held, ...account }: Account): Promise<number> {
  const prices = await loadPrices(db)
  const legs = account.pureLegs(prices)
  const { rows: portfolios } = await pool.query<{ id: string; cost_method: CostMethod }>(
    `select id, cost_method from portfolios where account_id = $1
     union all select id, cost_method from accounts where id = $1`,
    [accountId],
  )
  const methodOf = new Map(portfolios.map((row) => [row.id, row.cost_method]))
  const books = await readPortfolioBooks(
    api.db,
    [...held].map((own) => ids[own]),
  )
  const of = (own: Holder) => books.get(ids[own])
  const whole: BookSet = { accountId, books: [...books.values()] }
  const computed = [...held].filter((own) => of(own))
  const wallet = computed.filter((own) => 'walletId' in keys[own])
  const sets: { set: BookSet; names: Holder[]; method: CostMethod }[] = [
    { set: whole, names: computed, method: methodOf.get(accountId)! },
    ...computed.map((own) => ({ set: { books: [of(own)!] }, names: [own], method: methodOf.get(ids[own])! })),
  ]
  if (wallet.length > 1)
    sets.push({ set: { books: wallet.map((own) => of(own)!) }, names: wallet, method: 'average' })
  let coins = 0
  for (const { set, names, method: by } of sets) {
    const foldId = await findFold(api.db, { ...set, method: by })
    const matches = matchTransfers(
      legs.filter(({ account: own }) => names.includes(own as Holder)),
      (own) => (own === 'manual' ? null : own),
    )
    const isWallet = (own: string) => 'walletId' in keys[own as Holder]
    const ledger = ledgerOf({ legs, matches, accounts: new Set(names), isWallet })
    const rules = {
      isStable: () => false,
      trust: (id: string) => (['ethereum', 'bitcoin'].includes(id) ? 1 : 0),
    }
    const pure = foldLots({ entries: scopePostings({ ledger, prices, rules, isWallet }), method: by })
    const { rows } = await pool.query(
      `select distinct on (coin_id) * from coin_folds where fold_id = $1 order by coin_id, month desc`,
      [foldId],
    )
    const month = new Date(0)
    const expected = [...pure].map(([coinId, coin]) => {
      const state = stateOf(coin)
      return pick(foldRow({ foldId: foldId!, coinId, month, states: { usd: state, btc: state, eth: state } }))
    })
    expect(rows.map(pick).sort(byCoin), `${names.join()} by ${by}`).toEqual(expected.sort(byCoin))
    coins += rows.length
    const window = { interval: 'daily', fromMs: null, toMs: NOW_MS, currency: 'USD' } as const
    const periods = (await readPlPeriods({ db: api.db, ...set, ...window }))!
    if (periods.length === 0) continue
    const cutsMs = periods.map(({ endMs }) => endMs)
    const days = scopePeriods({ ledger, prices, fromMs: periods[0]!.startMs, cutsMs })
    const text = ({ closing, flow }: PeriodValues) => `${formatDecimal(closing)} ${formatDecimal(flow)}`
    expect(periods.map(text), `days of ${names.join()}`).toEqual(days.map(text))
  }
  return coins
}

const FIGURES = [
  'coin_id',
  'quantity',
  'acquired_quantity',
  'disposed_quantity',
  'sold_quantity',
  'uncovered',
  'unvalued_quantity',
  'paid_usd',
  'last_side',
  'last_quantity',
  'cost_usd',
  'acquired_usd',
  'disposed_usd',
  'disposed_cost_usd',
  'sold_usd',
  'last_usd',
  'lots_usd',
]
const pick = (row: object) =>
  Object.fromEntries(FIGURES.map((name) => [name, (row as Record<string, unknown>)[name]]))
const byCoin = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a['coin_id']) < String(b['coin_id']) ? -1 : 1
