import { afterAll, expect, test } from 'vitest'
import { checkSources } from '../../cli/doctor/check-sources.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)

test('of a source that nobody has asked the doctor says so, and does not call it ok', async () => {
  await query(
    database.ownerUrl,
    `insert into source_states (source, last_success_at, last_failure_at, last_failure, consecutive_failures)
     values ('defillama', null, now(), 'status 500', 1)`,
  )
  await query(
    database.ownerUrl,
    `insert into sources (name, area, requests_per_second, burst) values ('defillama', 'prices', 1, 1), ('frankfurter', 'prices', 1, 1)`,
  )
  const env = { SOURCES: 'live', DATABASE_URL: database.ownerUrl }
  const found = await checkSources(env, { offline: true })
  const stateOf = (source: string) => {
    const finding = found.find(({ check }) => check === `source ${source}`)
    return [finding?.state, finding?.detail]
  }
  expect(stateOf('frankfurter')).toEqual(['unasked', 'never asked'])
  expect(stateOf('defillama')).toEqual(['warn', 'has only failed: status 500'])
})
