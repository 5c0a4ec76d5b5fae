import { openDb } from '../../db/connect.ts'
import { migrate, ROLES, type Role } from '../../db/migrate.ts'
import { readSettings } from '../../ops/settings/read-settings.ts'
import { requireAnswer } from '../operator-database.ts'
import { prepareTemporalDatabases } from '../temporal/temporal-databases.ts'

/**
 * Migrates the database of DATABASE_URL to the newest schema and sets the passwords of the roles to those in
 * their own URLs (INGEST_DATABASE_URL and so on). With TEMPORAL_DATABASE_URL it creates Temporal's role and
 * databases as well.
 */
export async function run(): Promise<void> {
  const { DATABASE_URL: databaseUrl } = readSettings(process.env, {
    required: ['DATABASE_URL'],
    optional: [
      ...ROLES.map((role) => `${role.toUpperCase() as Uppercase<Role>}_DATABASE_URL` as const),
      'TEMPORAL_DATABASE_URL',
    ],
  })
  const passwords: Partial<Record<Role, string>> = {}
  for (const role of ROLES) {
    const url = process.env[`${role.toUpperCase()}_DATABASE_URL`]
    if (url) passwords[role] = passwordIn(url)
  }
  const { pool, close } = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'sluice-cli' })
  try {
    await requireAnswer(pool, databaseUrl)
  } finally {
    await close()
  }
  await migrate({ databaseUrl, passwords, log: console.log })
  console.log('the database has the newest schema')
  const temporalUrl = process.env.TEMPORAL_DATABASE_URL
  if (!temporalUrl) return
  const urlOf = (database: string) => Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href
  await prepareTemporalDatabases({ urlOf, password: passwordIn(temporalUrl) })
  console.log('the role and the databases of Temporal are ready')
}

const passwordIn = (url: string): string => decodeURIComponent(new URL(url).password)
