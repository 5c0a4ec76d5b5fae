import { resolve } from 'node:path'
import pg from 'pg'
import type { ServiceSpec } from '../supervisor/service.ts'
import type { Cluster } from './prepare-cluster.ts'
import { postgresArgs } from './postgres-args.ts'

interface PostgresServiceOptions {
  cluster: Cluster
  port: number
  ownerPassword: string
  settings?: Record<string, string>
}

/** The database server as a supervised process. It is up when it answers a query. */
export function postgresService({
  cluster,
  port,
  ownerPassword,
  settings,
}: PostgresServiceOptions): ServiceSpec {
  const { dataFolder, program, account } = cluster
  return {
    name: 'postgres',
    command: program,
    args: postgresArgs({ dataFolder, port, ...(settings && { settings }) }),
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    ...account,
    listensOn: ['postgres'],
    health: { probe: () => answers(ownerUrl({ port, ownerPassword, database: 'postgres' }), dataFolder) },
    startDeadlineMs: 60_000,
    // "Fast": ends the sessions and writes a checkpoint.
    stopSignal: 'SIGINT',
    stopDeadlineMs: 20_000,
  }
}

/** Returns the URL of the owner role for one database of the local server. */
export function ownerUrl(server: { port: number; ownerPassword: string; database: string }): string {
  return `postgres://sluice:${server.ownerPassword}@127.0.0.1:${server.port}/${server.database}`
}

/** Whether a server answers a query at the URL. With `dataFolder` it must be the server of that folder. */
export async function answers(url: string, dataFolder?: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    if (dataFolder === undefined) await client.query('select 1')
    else {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory')
      return rows[0]!.data_directory === resolve(dataFolder)
    }
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
