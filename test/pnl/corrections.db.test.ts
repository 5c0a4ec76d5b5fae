import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LABEL_ROLES, TREATED_ROLES, type TreatedRole, type Treatment } from '../../db/pnl/legs/roles.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readPortfolioBooks } from '../../db/pnl/books.ts'
import {
  labelExchange,
  listExchangeTransactions,
  moveExchange,
  splitExchange,
  undoExchange,
} from '../../db/portfolios/correct-exchange.ts'
import { treatRole } from '../../db/portfolios/treat-role.ts'
import { formatDecimal, decimal, divide } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { atLeast, runs } from '../setup/runs.ts'
import { DAYS, event, legsOf, MARKET, NOW_MS, START_MS } from './account-events.ts'
import { createAccount, HOLDERS } from './account-world.ts'
import { foldedRows, forgetFigures } from './folded-rows.ts'
import { expectLawThree } from './law-three.ts'
import { insertMarket } from './world.ts'

// Applies random corrections to random histories.

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => Promise.all([connection.close(), api.close()]))
const RUNS = runs({ short: 2, long: 1_000 })

beforeAll(() => insertMarket(connection, MARKET))

const correction = fc.record({
  kind: fc.constantFrom('label', 'move', 'move there', 'split', 'undo', 'treat'),
  pick: fc.nat(),
  part: fc.integer({ min: 0, max: 2 }),
  role: fc.option(fc.constantFrom(...LABEL_ROLES)),
  treated: fc.constantFrom(...TREATED_ROLES),
  day: fc.integer({ min: 0, max: DAYS }),
})
type Account = Awaited<ReturnType<typeof createAccount>>

/** Returns true when the correction was possible. */
async function correct({ ids }: Account, one: typeof correction extends fc.Arbitrary<infer T> ? T : never) {
  const rows = await listExchangeTransactions(db, { portfolioId: ids.exchange, limit: 1_000 })
  const row = rows[one.pick % rows.length]
  if (!row) return false
  const now = new Date(NOW_MS)
  const key = { portfolioId: ids.exchange, kind: row.kind, key: row.key, now }
  switch (one.kind) {
    case 'label':
      return (await labelExchange(db, { ...key, part: one.part, role: one.role })) === null
    case 'move':
      return (
        (await moveExchange(db, {
          ...key,
          part: one.part,
          at: new Date(START_MS + one.day * DAY_MS + 7),
        })) === null
      )
    case 'move there':
      return (await moveExchange(db, { ...key, part: one.part, to: ids.manual })) === null
    case 'split':
      return 'part' in (await splitExchange(db, { ...key, count: third(row.amount) }))
    case 'undo':
      return (await undoExchange(db, key)) === null
    case 'treat':
      return await treat(ids.exchange, one.treated, 'flow')
  }
}

const treat = (id: string, role: TreatedRole, treatment: Treatment | null) =>
  treatRole(db, { id, role, treatment, askedBy: 'test', now: new Date(NOW_MS) })

const third = (amount: string) => formatDecimal(divide(decimal(amount), decimal('3'), 18))

const daysOf = async ({ ids }: Account) => {
  const { rows } = await pool.query<{ row: string }>(
    `select concat(b.connection_id, b.portfolio_id, ' ', to_jsonb(d) - 'book_id') as row
     from pl_days d join books b on b.id = book_id where b.connection_id = $1 or b.portfolio_id = $2 order by 1`,
    [ids.exchange, ids.manual],
  )
  return rows.map(({ row }) => row)
}
const figuresOf = async (account: Account) => [
  ...(await foldedRows(pool, account)),
  ...(await daysOf(account)),
]

let accounts = 0

test('corrected figures equal a full run byte for byte; law 3 holds; undo restores the old figures', async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 16, maxLength: 24 }),
      fc.array(correction, { minLength: 3, maxLength: 6 }),
      async (first, corrections) => {
        const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
        for (const holder of HOLDERS) await account.follow(holder, 'fifo')
        await account.store(
          legsOf(first.map((one, index) => (index % 2 ? one : { ...one, holder: 'exchange' }))),
        )
        await account.compute()
        const asStated = await figuresOf(account)
        for (const one of corrections) {
          if (await correct(account, one)) done++
          await account.compute()
        }
        const incremental = await figuresOf(account)
        const books = await readPortfolioBooks(api.db, [account.ids.exchange, account.ids.manual])
        for (const book of books.values())
          await expectLawThree({ db: api.db, nowMs: NOW_MS, books: [book], method: 'fifo' })
        await forgetFigures(pool, account)
        await account.compute()
        expect(await figuresOf(account)).toEqual(incremental)

        const rows = await listExchangeTransactions(db, { portfolioId: account.ids.exchange, limit: 1_000 })
        for (const { kind, key } of rows)
          await undoExchange(db, { portfolioId: account.ids.exchange, kind, key })
        for (const role of TREATED_ROLES) await treat(account.ids.exchange, role, null)
        await account.compute()
        expect(await figuresOf(account)).toEqual(asStated)
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(done).toBeGreaterThanOrEqual(atLeast(RUNS, 1))
})
