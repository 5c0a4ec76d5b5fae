import { afterAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { retryQuarantined } from '../../db/console/operator.ts'
import { readRetry, settleRetry } from '../../db/sources/retries.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
const operators = openReadonlyDb({ url: database.consoleUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), operators.close()]))

test('a retry that ends late does not settle a row that an operator has retried again since', async () => {
  const [row] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into quarantine (source, area, reason, payload, fetched_at, activity)
     values ('wire', 'prices', 'no number', '{}', now(), 'refreshQuotes') returning id::text`,
  )
  const { id } = row!
  const state = async () =>
    (await query(database.ownerUrl, 'select retry_state, retry_failure from quarantine'))[0]
  expect(await retryQuarantined(operators.db, { id, operator: 'test' })).toBe(true)
  const first = (await readRetry(db, { id }))!
  // The activity quarantines the row again; the operator sees this before the run has ended.
  await query(database.ownerUrl, `update quarantine set retry_state = 'refused'`)
  expect(await retryQuarantined(operators.db, { id, operator: 'test' })).toBe(true)

  await settleRetry(db, { id, askedAt: first.askedAt, failure: null })
  expect(await state()).toEqual({ retry_state: 'asked', retry_failure: null })
  const second = (await readRetry(db, { id }))!
  await settleRetry(db, { id, askedAt: second.askedAt, failure: 'wire: status 500' })
  expect(await state()).toEqual({ retry_state: 'failed', retry_failure: 'wire: status 500' })
  // The two retries have different workflow ids.
  const sent = await query(database.ownerUrl, 'select distinct workflow_id from outbox')
  expect(sent).toHaveLength(2)
})
