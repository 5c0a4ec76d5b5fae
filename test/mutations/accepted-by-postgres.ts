import pg from 'pg'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { migratedCluster, POSTGRES_SETTINGS, TEMPLATE } from '../setup/migrated-cluster.ts'

/**
 * Calls `body` with a function that says whether Postgres takes the text of a function, view or trigger. Every
 * test notices a text that it refuses, so such a change would measure nothing.
 */
export async function withPostgres<T>(
  body: (accepts: (sql: string) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const server = await startTemporaryPostgres({
    inMemory: true,
    settings: POSTGRES_SETTINGS,
    from: await migratedCluster(),
  })
  const client = new pg.Client({ connectionString: ownerUrl({ ...server, database: TEMPLATE }) })
  try {
    await client.connect()
    return await body(async (sql) => {
      await client.query('begin; set local check_function_bodies = on')
      const isAccepted = await client.query(sql).then(
        () => true,
        () => false,
      )
      await client.query('rollback')
      return isAccepted
    })
  } finally {
    await client.end()
    await server.stop()
  }
}
