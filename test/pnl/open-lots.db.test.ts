import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { testDatabase } from '../setup/database.ts'
import { event, legsOf, MARKET, NOW_MS } from './account-events.ts'
import { createAccount, HOLDERS } from './account-world.ts'
import { insertMarket, seedDailyPrices } from './world.ts'

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const { pool } = connection
afterAll(() => connection.close())
beforeAll(async () => {
  await insertMarket(connection, MARKET)
  await seedDailyPrices(pool, MARKET)
})

test('open lots add up to what each fold holds and to its cost, by every method', async () => {
  const [history] = fc.sample(fc.array(event, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 })
  const account = await createAccount({ connection, number: 1, nowMs: NOW_MS })
  for (const [index, holder] of HOLDERS.entries())
    await account.follow(holder, COST_METHODS[index % COST_METHODS.length])
  await account.store(legsOf(history!))
  await account.compute()

  const { rows } = await pool.query<{ method: string; lots: number; adds_up: boolean }>(`
    with held as (
      select distinct on (fold_id, coin_id) fold_id, coin_id, quantity, cost_usd
      from coin_folds order by fold_id, coin_id, month desc
    ), lots as (
      select fold_id, coin_id, count(*)::integer as lots, sum(quantity) as quantity, sum(cost_usd) as cost_usd,
        count(acquired_at)::integer as dated
      from open_lots group by fold_id, coin_id
    )
    select method, coalesce(lots, 0) as lots, coalesce(lots.quantity, 0) = held.quantity
      and coalesce(lots.cost_usd, 0) = held.cost_usd
      and coalesce(dated, 0) = case method when 'average' then 0 else coalesce(lots, 0) end as adds_up
    from held join folds on folds.id = fold_id left join lots using (fold_id, coin_id)`)
  expect(rows.filter((row) => !row.adds_up)).toEqual([])
  const most = (method: string) =>
    Math.max(...rows.filter((row) => row.method === method).map((row) => row.lots))
  expect(most('average')).toBe(1)
  for (const method of ['fifo', 'lifo', 'hifo']) expect(most(method), method).toBeGreaterThan(1)
})
