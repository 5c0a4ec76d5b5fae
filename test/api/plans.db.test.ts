import { expect, test } from 'vitest'
import { PLANS } from '../../api/docs/plans.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()

test('the plans of the reference are those of a new installation', async () => {
  const rows = await query(
    database.ownerUrl,
    'select id, credits_per_month, requests_per_second, paid from plans order by credits_per_month',
  )
  expect(
    rows.map((row) => [row['id'], Number(row['credits_per_month']), row['requests_per_second'], row['paid']]),
  ).toEqual(
    PLANS.map(({ id, creditsPerMonth, requestsPerSecond, isPaid }) => [
      id,
      creditsPerMonth,
      requestsPerSecond,
      isPaid,
    ]),
  )
})
