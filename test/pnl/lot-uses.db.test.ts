import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { testDatabase } from '../setup/database.ts'
import { event, firstDeposits, legsOf, MARKET, NOW_MS } from './account-events.ts'
import { createAccount, HOLDERS, type TestLeg } from './account-world.ts'
import { foldedRows } from './folded-rows.ts'
import { insertMarket, seedDailyPrices } from './world.ts'

// Acquisitions and disposals are the parts of the figures of a fold: they add up to these to the last digit.
// fold.db.test.ts compares them with a full run after random changes.

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const { pool } = connection
afterAll(() => connection.close())

/** An account whose holders have a method each; all together are computed by `fifo`. */
async function randomAccount(number: number, first: readonly TestLeg[]) {
  const [history] = fc.sample(fc.array(event, { minLength: 120, maxLength: 120 }), { numRuns: 1, seed: 11 })
  const created = await createAccount({ connection, number, nowMs: NOW_MS })
  await pool.query(`update accounts set cost_method = 'fifo' where id = $1`, [created.accountId])
  for (const [index, holder] of HOLDERS.entries())
    await created.follow(holder, COST_METHODS[index % COST_METHODS.length])
  await created.store([...first, ...legsOf(history!)])
  await created.compute()
  return created
}

let account: Awaited<ReturnType<typeof createAccount>>
beforeAll(async () => {
  await insertMarket(connection, MARKET)
  await seedDailyPrices(pool, MARKET)
  account = await randomAccount(1, [])
  await randomAccount(2, firstDeposits(HOLDERS))
})

const rowsOf = async <T extends object>(text: string) => (await pool.query<T>(text)).rows

test('acquisitions and disposals add up to the figures of each fold and coin, by every method', async () => {
  const rows = await rowsOf<{ method: string; disposals: number; parts: number; adds_up: boolean }>(`
    with totals as (
      select distinct on (fold_id, coin_id) * from coin_folds order by fold_id, coin_id, month desc
    ), gone as (
      select fold_id, coin_id, count(*)::integer as parts, count(distinct (disposed_at, seq))::integer as disposals,
        sum(quantity) as quantity, sum(proceeds_usd) as proceeds, sum(cost_usd) as cost, sum(gain_usd) as gain,
        sum(quantity) filter (where uncovered) as uncovered
      from disposals group by fold_id, coin_id
    ), come as (
      select fold_id, coin_id, sum(quantity) as quantity, sum(cost_usd) as cost from acquisitions group by fold_id, coin_id
    )
    select method, coalesce(parts, 0) as parts, coalesce(disposals, 0) as disposals,
      coalesce(gone.quantity, 0) = disposed_quantity and coalesce(proceeds, 0) = disposed_usd
      and coalesce(gone.cost, 0) = disposed_cost_usd and coalesce(gain, 0) = disposed_usd - disposed_cost_usd
      and coalesce(gone.uncovered, 0) <= totals.uncovered
      and coalesce(come.quantity, 0) = acquired_quantity and coalesce(come.cost, 0) = acquired_usd as adds_up
    from totals join folds on folds.id = fold_id left join gone using (fold_id, coin_id) left join come using (fold_id, coin_id)`)
  expect(rows.filter((row) => !row.adds_up)).toEqual([])
  for (const method of COST_METHODS) {
    const own = rows.filter((row) => row.method === method)
    const total = (name: 'disposals' | 'parts') => own.reduce((sum, row) => sum + row[name], 0)
    expect(total('disposals'), method).toBeGreaterThan(10)
    if (method !== 'average') expect(total('parts'), method).toBeGreaterThan(total('disposals'))
  }
})

test('each lot names its acquisition, which came first; those of average and what was never acquired name none', async () => {
  const rows = await rowsOf<{ kind: string; known: number; unknown: number; late: number }>(`
    select case when uncovered then 'uncovered' when method = 'average' then 'average' else 'lot' end as kind,
      count(acquired_tx_id)::integer as known, (count(*) filter (where acquired_at is null))::integer as unknown,
      (count(*) filter (where acquired_at > disposed_at or holding_days < 0))::integer as late
    from disposals join folds on folds.id = fold_id group by 1`)
  const of = (kind: string) => rows.find((row) => row.kind === kind)!
  expect(of('average').known).toBe(0)
  expect(of('uncovered').known).toBe(0)
  expect(of('lot')).toMatchObject({ unknown: 0, late: 0 })
  expect(of('lot').known).toBeGreaterThan(30)
})

test('both transactions of a disposal are those of its legs', async () => {
  const rows = await rowsOf<{ found: boolean }>(`
    select exists (select from movements m where m.tx_hash = d.tx_id and m.at = d.disposed_at and m.raw < 0)
      and exists (select from movements m where m.tx_hash = d.acquired_tx_id and m.at = d.acquired_at and m.raw > 0) as found
    from disposals d join books b on b.id = d.book_id join books a on a.id = d.acquired_book_id
    where b.wallet_id is not null and a.wallet_id is not null and d.reason in ('send', 'trade')`)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => !row.found)).toEqual([])
})

// The lots of a debt are not known.
test('receipts less sends of a book that never owed are the flows of its days', async () => {
  const rows = await rowsOf<{ flow: string; days: string }>(`
    select book_id,
      (select coalesce(sum(flow_usd), 0) from flows where fold_id = f.id and flows.at < p.computed_to) as flow,
      (select sum(flow_usd) from pl_days d where d.book_id = s.book_id) as days
    from folds f join scopes s on s.id = f.scope_id join pl_states p using (book_id)
    where not exists (select from coin_folds c where c.fold_id = f.id and (c.uncovered <> 0 or c.unvalued_quantity < 0))`)
  expect(rows.length).toBeGreaterThanOrEqual(HOLDERS.length)
  for (const { flow, days } of rows) expect(flow).toBe(days)
})

test('a fold without its uses, as a release that does not write them leaves it, gets them with its next run', async () => {
  const before = await foldedRows(pool, account)
  await pool.query('delete from lot_uses')
  await pool.query('update folds set revision = revision + 1, days_revision = revision + 1')
  expect(await foldedRows(pool, account)).not.toEqual(before)
  await account.compute()
  expect(await foldedRows(pool, account)).toEqual(before)
})
