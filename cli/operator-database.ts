import type pg from 'pg'
import { type Connection, type Db, openDb } from '../db/connect.ts'
import { CommandError } from './command.ts'
import { homeFolder } from './folders.ts'
import { readSecrets } from './secrets.ts'
import { serviceEnvironment } from './service-environment.ts'
import { readRun } from './supervisor/run-file.ts'

/** Runs `work` on the database as its owner: DATABASE_URL, else the embedded one of the running installation. */
export async function withOperatorDatabase<T>(work: (db: Db, pool: pg.Pool) => Promise<T>): Promise<T> {
  const connection: Connection<Db> = openDb({
    url: operatorDatabaseUrl(),
    maxConnections: 1,
    applicationName: 'sluice-cli',
  })
  try {
    await connection.pool.query('select 1').catch((error: Error) => {
      const { host } = new URL(operatorDatabaseUrl())
      throw new CommandError(
        `the database does not answer at ${host}: ${error.message}; "sluice doctor" tells more`,
      )
    })
    return await work(connection.db, connection.pool)
  } finally {
    await connection.close()
  }
}

export function operatorDatabaseUrl(): string {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  const run = readRun(homeFolder())
  const secrets = readSecrets(homeFolder())
  const url = run && secrets && serviceEnvironment({ run, secrets }).DATABASE_URL
  if (!url) throw new CommandError('no database: run "npm start" in another terminal, or set DATABASE_URL')
  return url
}
