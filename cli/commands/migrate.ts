import { openDb } from '../../db/connect.ts'
import { migrate, ROLES, type Role } from '../../db/migrate.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { requireAnswer } from '../operator-database.ts'

/**
 * Brings the database of DATABASE_URL to the newest schema and gives the roles the passwords that their own URLs
 * (INGEST_DATABASE_URL and so on) name.
 */
export async function run(): Promise<void> {
  const { DATABASE_URL: databaseUrl } = readSettings(process.env, {
    required: ['DATABASE_URL'],
    optional: ROLES.map((role) => `${role.toUpperCase() as Uppercase<Role>}_DATABASE_URL` as const),
  })
  const passwords: Partial<Record<Role, string>> = {}
  for (const role of ROLES) {
    const url = process.env[`${role.toUpperCase()}_DATABASE_URL`]
    if (url) passwords[role] = decodeURIComponent(new URL(url).password)
  }
  const { pool, close } = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'sluice-cli' })
  await requireAnswer(pool, databaseUrl).finally(() => close())
  await migrate({ databaseUrl, passwords, log: console.log })
  console.log('the database has the newest schema')
}
