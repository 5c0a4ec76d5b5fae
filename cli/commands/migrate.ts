import { migrate, ROLES, type Role } from '../../db/migrate.ts'
import { NewerSchemaError } from '../../db/refuse-newer-schema.ts'
import { CommandError } from '../command.ts'

/**
 * Brings the database of DATABASE_URL to the newest schema and gives the roles the passwords that their own URLs
 * (INGEST_DATABASE_URL and so on) name.
 */
export async function run(): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) throw new CommandError('set DATABASE_URL to a role that owns the database')
  const passwords: Partial<Record<Role, string>> = {}
  for (const role of ROLES) {
    const url = process.env[`${role.toUpperCase()}_DATABASE_URL`]
    if (url) passwords[role] = decodeURIComponent(new URL(url).password)
  }
  await migrate({ databaseUrl, passwords, log: console.log }).catch((error: unknown) => {
    throw error instanceof NewerSchemaError ? new CommandError(error.message, { cause: error }) : error
  })
  console.log('the database has the newest schema')
}
