import { afterAll, expect, test } from 'vitest'
import { addCredits, appointOperator, issueKey, movePlan, withdrawKey } from '../../db/console/accounts.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'

// What an operator does to one account, key or user leaves all others as they are.

const database = await testDatabase()
const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const by = { operator: 'test' }

async function newAccount() {
  const { accountId } = await createAccount(db, { name: 'test', plan: 'starter' })
  const keyOf = async () => (await issueKey(db, { ...by, accountId, name: 'test', readOnly: false }))!.prefix
  return { accountId, prefix: await keyOf(), otherPrefix: await keyOf() }
}
const [own] = [await newAccount(), await newAccount()]
const users = [
  { issuer: 'https://one.test', subject: 'ann' },
  { issuer: 'https://one.test', subject: 'bob' },
  { issuer: 'https://two.test', subject: 'ann' },
]
for (const user of users) await appointOperator(db, { ...by, ...user, isOperator: true })

/** What operators change, with what a row is called. */
const TABLES = {
  accounts: 'id',
  api_keys: 'account_id || prefix',
  operators: `issuer || ' ' || subject`,
  credit_periods: `account_id || ' ' || n`,
  credit_grants: `account_id || ' grant'`,
}

test.each<[string, () => Promise<unknown>, string]>([
  ['moves a plan', () => movePlan(db, { ...by, accountId: own.accountId, plan: 'pro' }), own.accountId],
  [
    'adds credits',
    () => addCredits(db, { ...by, id: 'one', accountId: own.accountId, credits: 5n }),
    own.accountId,
  ],
  [
    'withdraws a key',
    () => withdrawKey(db, { ...by, accountId: own.accountId, prefix: own.prefix }),
    own.accountId + own.prefix,
  ],
  [
    'takes the console from a user',
    () => appointOperator(db, { ...by, ...users[0]!, isOperator: false }),
    'https://one.test ann',
  ],
])('%s', async (_, change, named) => {
  const changed = await changedRows(database, TABLES, change)
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.filter((id) => !id.startsWith(named))).toEqual([])
})
