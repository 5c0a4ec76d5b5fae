import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll } from 'vitest'
import { ownerUrl, postgresService } from '../../cli/postgres/postgres-service.ts'
import type { Cluster } from '../../cli/postgres/prepare-cluster.ts'
import { startTemporaryPostgres, type TemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { startService } from '../../cli/supervisor/service.ts'
import { migrate } from '../../db/migrate.ts'
import { databaseOn, ROLE_PASSWORDS } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const run = promisify(execFile)

/**
 * Clean-up functions, also for servers started in a test: a hook registered inside a test is never called.
 */
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** Files of the running server that are not copied. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts']

/** Starts a server with a migrated database, as in production; stopped after the test file. */
export async function startPrimary(settings: Record<string, string> = {}) {
  const server = await startTemporaryPostgres({ settings: { wal_level: 'replica', ...settings } })
  ends.push(server.stop)
  await query(ownerUrl({ ...server, database: 'postgres' }), 'create database sluice')
  const database = databaseOn(server, 'sluice')
  await migrate({ databaseUrl: database.ownerUrl, passwords: ROLE_PASSWORDS, log: () => {} })
  return { server, database }
}

/** Creates a folder that the account of Postgres may write to; deleted after the test file. */
export async function postgresFolder({ account }: Pick<Cluster, 'account'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cluster-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

/**
 * Does what pg_basebackup does, through the SQL interface, because the npm packages contain only the server.
 * The copy has no WAL files: a server that starts on it must get them from the archive or the primary.
 */
export async function baseBackup({ ownerPassword, port, cluster }: TemporaryPostgres): Promise<Cluster> {
  const dataFolder = join(await postgresFolder(cluster), 'data')
  const client = new pg.Client({
    connectionString: ownerUrl({ ownerPassword, port, database: 'postgres' }),
  })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('test', fast => true)`)
    await run('cp', ['-a', cluster.dataFolder, dataFolder])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    await write({ ...cluster, dataFolder }, 'backup_label', rows[0]!.labelfile)
  } finally {
    await client.end()
  }
  const log = (await readdir(join(dataFolder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  for (const name of [...LEFT_OUT, ...log.map((file) => `pg_wal/${file}`)])
    await rm(join(dataFolder, name), { force: true })
  return { ...cluster, dataFolder }
}

/** Starts a standby on a copy with these settings. */
export async function startStandby(cluster: Cluster, settings: Record<string, string>) {
  await write(cluster, 'standby.signal', '')
  const port = await freePort()
  const ownerPassword = 'owner'
  const all = { fsync: 'off', shared_buffers: '64MB', ...settings }
  const lines: string[] = []
  const running = startService(postgresService({ cluster, port, ownerPassword, settings: all }), {
    onLine: (line) => lines.push(line),
    onSpawn: () => {},
    onExit: () => {},
  })
  ends.push(running.stop)
  await running.ready.catch((error: Error) => {
    throw new Error([error.message, ...lines].join('\n'))
  })
  return { port, ownerPassword, stop: running.stop }
}

async function write({ dataFolder, account }: Cluster, name: string, text: string): Promise<void> {
  const file = join(dataFolder, name)
  await writeFile(file, text, { mode: 0o600 })
  if (account) await chown(file, account.uid, account.gid)
}
