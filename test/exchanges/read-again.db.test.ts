import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { connectAccount, syncDirectly } from './connect.ts'
import { exchangeDeps, startExchanges } from './exchange-world.ts'

const MIGRATION = '../../db/exchanges/migrations/20261129-2245-read-transfers-again.sql'
const database = await testDatabase()
const { deps, publicKey } = exchangeDeps(database, await startExchanges())

let isStrange = true
const activities = createExchangesActivities({
  ...deps,
  http: {
    ...deps.http,
    send: async (request) => {
      const answer = await deps.http.send(request)
      const isChanged = isStrange && request.url.includes('/capital/withdraw/history')
      return isChanged ? { ...answer, text: answer.text.replaceAll('"status":6', '"status":99') } : answer
    },
  },
})
const run = (sql: string) => query<Record<string, any>>(database.ownerUrl, sql)
const counted = async () =>
  (
    await run(
      `select (select count(*) from quarantine)::int as aside, (select count(*) from exchange_transactions
       where kind = 'withdrawal' and status = 'ok')::int as done`,
    )
  )[0]

test('withdrawals that were put aside for their status count after the migration and a sync', async () => {
  const key = binanceKeys[0]!
  const { connectionId } = await connectAccount(database, { activities, exchange: 'binance', publicKey, key })
  await syncDirectly(activities, connectionId)
  const { aside, done } = (await counted())!
  expect([aside > 1, done]).toEqual([true, 0])
  // As the release before wrote it.
  await run(`update quarantine set reason = 'status: Invalid option: expected one of "ok"|"pending"'`)
  isStrange = false
  await syncDirectly(activities, connectionId)
  // Only those of the last 14 days, which every sync reads again.
  const before = (await counted())!
  expect([before['aside'], before['done'] < aside]).toEqual([aside, true])
  await run(readFileSync(join(import.meta.dirname, MIGRATION), 'utf8'))
  await syncDirectly(activities, connectionId)
  expect(await counted()).toEqual({ aside: 0, done: aside })
}, 60_000)
