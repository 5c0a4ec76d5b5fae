import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { connectAccount, syncDirectly } from './connect.ts'
import { exchangeDeps, startExchanges } from './exchange-world.ts'

const MIGRATION = '../../db/exchanges/migrations/20261129-2245-read-transfers-again.sql'
const database = await testDatabase()
const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl })
const { deps, publicKey } = exchangeDeps(database, await startExchanges())

let isStrange: boolean
let beforeAnswer: (() => Promise<unknown>) | null
const activities = createExchangesActivities({
  ...deps,
  http: {
    ...deps.http,
    send: async (request) => {
      const answer = await deps.http.send(request)
      if (!request.url.includes('/capital/withdraw/history')) return answer
      const [work] = [beforeAnswer, (beforeAnswer = null)]
      await work?.()
      return isStrange ? { ...answer, text: answer.text.replaceAll('"status":6', '"status":99') } : answer
    },
  },
})
const run = (sql: string) => query<Record<string, any>>(database.ownerUrl, sql)
const counted = async () =>
  (
    await run(
      `select (select count(*) from quarantine)::int as aside, (select count(*) from exchange_transactions
       where connection_id = '${connectionId}' and kind = 'withdrawal' and status = 'ok')::int as done`,
    )
  )[0]

let connectionId: string
/** How many withdrawals of the account were put aside for their status, which is known now. */
let aside: number

beforeEach(async () => {
  await run('delete from quarantine')
  ;[isStrange, beforeAnswer] = [true, null]
  const key = binanceKeys[0]!
  ;({ connectionId } = await connectAccount(database, { activities, exchange: 'binance', publicKey, key }))
  await syncDirectly(activities, connectionId)
  const found = (await counted())!
  aside = found['aside']
  expect([aside > 1, found['done']]).toEqual([true, 0])
  isStrange = false
})

test('rows that were put aside count after `sluice exchanges read-again` and a sync', async () => {
  await syncDirectly(activities, connectionId)
  // Only those of the last 14 days, which every sync reads again.
  expect((await counted())!['done']).toBeLessThan(aside)
  const { status, stdout } = await sluice('exchanges', 'read-again', 'binance')
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^the next sync of each account at binance \(\d+\)/),
  ])
  await syncDirectly(activities, connectionId)
  expect(await counted()).toEqual({ aside, done: aside })
})

test('a sync that runs meanwhile skips no list', async () => {
  beforeAnswer = () => sluice('exchanges', 'read-again', 'binance')
  await syncDirectly(activities, connectionId)
  expect(beforeAnswer).toBeNull()
  await syncDirectly(activities, connectionId)
  expect(await counted()).toEqual({ aside, done: aside })
})

test('an exchange without accounts is an error', async () => {
  const { status, stderr } = await sluice('exchanges', 'read-again', 'kraken')
  expect([status, stderr]).toEqual([1, expect.stringContaining('there is no account at "kraken"')])
})

test('withdrawals that were put aside for their status count after the migration and a sync', async () => {
  // As the release before wrote it.
  await run(`update quarantine set reason = 'status: Invalid option: expected one of "ok"|"pending"'`)
  await run(readFileSync(join(import.meta.dirname, MIGRATION), 'utf8'))
  await syncDirectly(activities, connectionId)
  expect(await counted()).toEqual({ aside: 0, done: aside })
})
