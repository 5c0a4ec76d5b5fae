import { expect, test } from 'vitest'
import { EXCHANGE_ROLES, LABEL_ROLES, ROLES, TREATED_ROLES, TREATMENTS } from '../../db/pnl/legs/roles.ts'
import { query } from '../setup/query.ts'
import { testDatabase } from '../setup/database.ts'

const database = await testDatabase()

/** The words that a check constraint allows. */
async function wordsOf(constraint: string): Promise<string[]> {
  const [row] = await query<{ text: string }>(
    database.ownerUrl,
    `select pg_get_constraintdef(oid) as text from pg_constraint
     where conname = $1 and coninhcount = 0 and convalidated`,
    [constraint],
  )
  return [...row!.text.matchAll(/'(\w+)'::text/g)].map(([, word]) => word!).sort()
}

test.each([
  ['movements_role_check', Object.keys(ROLES)],
  ['movement_labels_role_check', LABEL_ROLES],
  ['transaction_parts_role_check', LABEL_ROLES],
  ['exchange_transactions_kind_check', Object.keys(EXCHANGE_ROLES)],
  ['role_treatments_role_check', TREATED_ROLES],
  ['role_treatments_treatment_check', Object.keys(TREATMENTS)],
])('the constraint %s allows exactly the words of the table', async (constraint, words) => {
  expect(await wordsOf(constraint)).toEqual([...words].sort())
})

test('every role stored with an exchange transaction is a role of the table', async () => {
  expect(Object.keys(ROLES)).toEqual(
    expect.arrayContaining(await wordsOf('exchange_transactions_role_check')),
  )
})
