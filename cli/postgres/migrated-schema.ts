import { migrate } from '../../db/migrate.ts'
import { printSchema } from '../../db/print-schema.ts'
import { ownerUrl } from './postgres-service.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

/** Returns the schema that the SQL of the areas creates in an empty database, as text. */
export async function migratedSchema(): Promise<string> {
  const server = await startTemporaryPostgres({ inMemory: true })
  try {
    const databaseUrl = ownerUrl({ ...server, database: 'postgres' })
    await migrate({ databaseUrl, passwords: {}, log: () => {} })
    return await printSchema(databaseUrl)
  } finally {
    await server.stop()
  }
}
