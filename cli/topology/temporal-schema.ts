import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ownerUrl } from '../postgres/postgres-service.ts'
import { prepareTemporalDatabases, TEMPORAL_DATABASES, withClient } from '../temporal/temporal-databases.ts'

const run = promisify(execFile)

interface SchemaOptions {
  server: { port: number; ownerPassword: string }
  /** Password of the role `temporal`, which owns the databases. */
  password: string
  sqlTool: string
}

/** Migrates Temporal's databases to the schema of its version, with Temporal's own tool. */
export async function prepareTemporalSchema({ server, password, sqlTool }: SchemaOptions): Promise<void> {
  const urlOf = (database: string) => ownerUrl({ ...server, database })
  await prepareTemporalDatabases({ urlOf, password })
  for (const [database, schema] of Object.entries(TEMPORAL_DATABASES)) {
    const env = {
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: '127.0.0.1',
      SQL_PORT: String(server.port),
      SQL_USER: 'temporal',
      SQL_PASSWORD: password,
      SQL_DATABASE: database,
    }
    const tool = (...args: string[]) => run(sqlTool, args, { env })
    const isNew = await withClient(urlOf(database), async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('schema_version') is not null as there`,
      )
      return !rows[0]!.there
    })
    if (isNew) await tool('setup-schema', '--version', '0.0')
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`)
  }
}
