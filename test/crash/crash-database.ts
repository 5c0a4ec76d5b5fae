import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import type { TemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { openDb } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { databaseOn, ROLE_PASSWORDS } from '../setup/database.ts'
import { query } from '../setup/query.ts'

/** An empty database on a server of the test's own. */
export async function crashDatabase(postgres: TemporaryPostgres, name: string) {
  await query(ownerUrl({ ...postgres, database: 'postgres' }), `create database ${name}`)
  const database = databaseOn(postgres, name)
  await migrate({ databaseUrl: database.ownerUrl, passwords: ROLE_PASSWORDS, log: () => {} })
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const { pool, close } = openDb({
    url: database.ingestUrl,
    maxConnections: 6,
    applicationName: 'test',
  })
  return {
    database,
    owner,
    pool,
    ask: <Row extends object>(text: string) => query<Row>(database.ownerUrl, text),
    close: async () => void (await Promise.all([owner.close(), close()])),
  }
}
