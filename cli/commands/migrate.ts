import { openDb } from '../../db/connect.ts'
import { migrate, ROLES, type Role } from '../../db/migrate.ts'
import { readSettings } from '../../ops/settings/read-settings.ts'
import { requireAnswer } from '../operator-database.ts'
import { prepareTemporalDatabases } from '../temporal/temporal-databases.ts'

/**
 * Brings the database of DATABASE_URL to the newest schema and gives the roles the passwords that their own URLs
 * (INGEST_DATABASE_URL and so on) name. With TEMPORAL_DATABASE_URL it makes Temporal's role and databases as well.
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
  console.log('Temporal has its role and databases')
}

const passwordIn = (url: string): string => decodeURIComponent(new URL(url).password)
