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

/** Also of what a test starts: a hook that is made inside of one is never called. */
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** Of the server itself: not part of what is copied. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts']

/** A server with a migrated database, as production has one; gone after the file. */
export async function startPrimary(settings: Record<string, string> = {}) {
  const server = await startTemporaryPostgres({ settings: { wal_level: 'replica', ...settings } })
  ends.push(server.stop)
  await query(ownerUrl({ ...server, database: 'postgres' }), 'create database sluice')
  const database = databaseOn(server, 'sluice')
  await migrate({ databaseUrl: database.ownerUrl, passwords: ROLE_PASSWORDS, log: () => {} })
  return { server, database }
}

/** A folder that the account of Postgres may write to; gone after the file. */
export async function postgresFolder({ account }: Pick<Cluster, 'account'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cluster-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

/**
 * What pg_basebackup does, by the interface below it: the packages of npm have the server alone. Files of the log are not
 * part of the copy: who starts on it has to get them from the archive, or from the primary.
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

/** Starts a standby on a copy, that follows its settings. */
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
