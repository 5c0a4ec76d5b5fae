import { expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()

test('a test file gets its own migrated database', async () => {
  const [row] = await query<{ name: string; tables: string }>(
    database.ownerUrl,
    `select current_database() as name, count(*)::text as tables from pg_tables where schemaname = 'public'`,
  )
  expect(row?.name).toBe(database.name)
  expect(Number(row?.tables)).toBeGreaterThan(5)
})

test('each role logs in with its own password', async () => {
  for (const [role, url] of Object.entries({
    ingest: database.ingestUrl,
    api: database.apiUrl,
    meter: database.meterUrl,
  })) {
    const [row] = await query<{ role: string }>(url, 'select current_user as role')
    expect(row?.role).toBe(role)
  }
})
