import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { ownerUrl } from '../postgres/postgres-service.ts'

const run = promisify(execFile)

/** Temporal's databases, and the schema that each has. */
export const TEMPORAL_DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' } as const

interface SchemaOptions {
  server: { port: number; ownerPassword: string }
  /** Of the role `temporal`, which owns the databases. */
  password: string
  sqlTool: string
}

/** Brings Temporal's databases to the schema of its version, as its own tool does it. */
export async function prepareTemporalSchema({ server, password, sqlTool }: SchemaOptions): Promise<void> {
  await asOwner(server, 'postgres', async (client) => {
    const role = await client.query(`select from pg_roles where rolname = 'temporal'`)
    if (role.rowCount === 0) await client.query('create role temporal login')
    await client.query(`alter role temporal password ${client.escapeLiteral(password)}`)
    for (const name of Object.keys(TEMPORAL_DATABASES)) {
      const database = await client.query('select from pg_database where datname = $1', [name])
      if (database.rowCount === 0) await client.query(`create database ${name} owner temporal`)
    }
  })
  for (const [database, schema] of Object.entries(TEMPORAL_DATABASES)) {
    const env = {
      ...{ SQL_PLUGIN: 'postgres12', SQL_HOST: '127.0.0.1', SQL_PORT: String(server.port) },
      ...{ SQL_USER: 'temporal', SQL_PASSWORD: password, SQL_DATABASE: database },
    }
    const tool = (...args: string[]) => run(sqlTool, args, { env })
    const isNew = await asOwner(server, database, async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('schema_version') is not null as there`,
      )
      return !rows[0]!.there
    })
    if (isNew) await tool('setup-schema', '--version', '0.0')
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`)
  }
}

async function asOwner<T>(
  server: SchemaOptions['server'],
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl({ ...server, database }) })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
