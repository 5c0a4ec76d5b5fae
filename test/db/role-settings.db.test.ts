import { expect, test } from 'vitest'
import { DEADLINE_MS } from '../../api/open-pools.ts'
import { ROLE_SETTINGS, ROLES } from '../../db/migrate.ts'
import { ROLE_PASSWORDS, testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()

test.each(ROLES.filter((role) => role !== 'meter'))(
  'a session of %s starts with its settings',
  async (role) => {
    const url = Object.assign(new URL(database.ownerUrl), { username: role, password: ROLE_PASSWORDS[role] })
    for (const [name, value] of Object.entries(ROLE_SETTINGS[role]))
      expect(await query(url.href, 'select current_setting($1) as value', [name])).toEqual([{ value }])
  },
)

test('a charge is cancelled before its client is told that it failed', async () => {
  const [set] = await query<{ setconfig: string[] }>(
    database.ownerUrl,
    `select setconfig from pg_db_role_setting where setdatabase = 0 and setrole = 'meter'::regrole`,
  )
  expect(set!.setconfig).toEqual([`statement_timeout=${ROLE_SETTINGS.meter.statement_timeout}`])
  expect(Number.parseInt(ROLE_SETTINGS.meter.statement_timeout, 10)).toBeLessThan(DEADLINE_MS - 50)
})
