import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createMeter } from '../../db/metering/meter.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { booksOf } from './account-clock.ts'

const database = await testDatabase()
const api = await startApi({ database, routes: [] })
// A pool without the API's time limits, because the steps of this test wait for each other.
const { pool, close } = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'period-end' })
const meter = createMeter({ admission: pool, charging: pool })
const [closing, holding] = [0, 1].map(() => new pg.Client({ connectionString: database.ownerUrl }))
afterAll(async () => {
  await Promise.all([closing!.end(), holding!.end(), close()])
})

const charge = (accountId: string) => ({
  requestId: uuidV7(Date.now()),
  accountId,
  credits: 7,
  endpoint: 'GET /probe',
  priceInput: null,
})

/** Waits until `count` charges wait for locks, at least one of them for a lock of process `pid`. */
const untilWaiting = (count: number, pid: number) =>
  expect
    .poll(
      () =>
        query(
          database.ownerUrl,
          `select count(*)::int as waiting, bool_or($1 = any(pg_blocking_pids(pid))) as "for"
           from pg_stat_activity where application_name = 'period-end' and wait_event_type = 'Lock'`,
          [pid],
        ),
      { interval: 10 },
    )
    .toEqual([{ waiting: count, for: true }])

test('C8 batches that deadlock at the end of a period are charged once each, and none fails', async () => {
  const accounts = await Promise.all([0, 1, 2].map(() => api.newAccount({ credits: 100 })))
  const [first, second, third] = accounts.map(({ accountId }) => accountId).sort() as [string, string, string]
  await meter.charge([first, second, third].map(charge))
  const begin = async (client: pg.Client, accountId: string): Promise<number> => {
    await client.connect()
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>(
      'select pg_backend_pid() as pid from credit_periods where account_id = $1 for update',
      [accountId],
    )
    return rows[0]!.pid
  }
  const closer = await begin(closing!, second)
  const holder = await begin(holding!, third)

  const whole = meter.charge([first, second, third].map(charge))
  await untilWaiting(1, closer)
  // Does what the first request of a new period does. The batch holds the first account and goes on to the
  // third.
  await closing!.query(
    'update credit_periods set is_open = false, ends_at = now(), fresh_until = now() where account_id = $1',
    [second],
  )
  await closing!.query(
    `insert into credit_periods (account_id, n, starts_at, ends_at, granted, fresh_until)
     select account_id, n + 1, now(), now() + interval '1 month', granted, now() + interval '1 month'
     from credit_periods where account_id = $1`,
    [second],
  )
  await closing!.query('commit')
  await untilWaiting(1, holder)
  // This batch holds the new period of the second account and waits for the third.
  const part = meter.charge([second, third].map(charge))
  await untilWaiting(2, holder)
  await holding!.query('commit')

  expect((await Promise.all([whole, part])).flat().map(({ paid }) => paid)).toEqual(Array(5).fill(true))
  const postedOf = async (id: string) =>
    (await booksOf(database.ownerUrl, id)).map(({ posted, ledger }) => [posted, ledger])
  expect(await Promise.all([first, second, third].map(postedOf))).toEqual([
    [['14', '14']],
    [
      ['7', '7'],
      ['14', '14'],
    ],
    [['21', '21']],
  ])
})
