import { setTimeout as sleep } from 'node:timers/promises'
import { ownerUrl, postgresService } from '../../cli/postgres/postgres-service.ts'
import { prepareCluster } from '../../cli/postgres/prepare-cluster.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { type Running, startService } from '../../cli/supervisor/service.ts'
import { migrate } from '../../db/migrate.ts'
import { ROLE_PASSWORDS } from './database.ts'

/**
 * Starts a separate, migrated database server in a folder, with the settings of an installation. It can be
 * restarted.
 */
export async function startOwnPostgres(folder: string, settings: Record<string, string> = {}) {
  const cluster = await prepareCluster({ folder, ownerPassword: 'owner', log: () => {} })
  const port = await freePort()
  const lines: string[] = []
  let running: Running

  /** Retries, because a server that just ended may still hold its shared memory. */
  async function start(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      running = startService(postgresService({ cluster, port, ownerPassword: 'owner', settings }), {
        onLine: (line) => lines.push(line),
        onSpawn: () => {},
        onExit: () => {},
      })
      const failure = await running.ready.then(
        () => null,
        (error: Error) => error,
      )
      if (!failure) return
      if (attempt === 20) throw failure
      await sleep(200)
    }
  }

  await start()
  const url = ownerUrl({ port, ownerPassword: 'owner', database: 'postgres' })
  await migrate({ databaseUrl: url, passwords: ROLE_PASSWORDS, log: () => {} })
  const roleUrl = (role: string) => `postgres://${role}:${role}@127.0.0.1:${port}/postgres`
  return {
    database: { ownerUrl: url, apiUrl: roleUrl('api'), meterUrl: roleUrl('meter') },
    /** Output of the server. */
    lines,
    /** Restarts the server after it has ended. */
    start,
    pid: () => running.pid,
    ended: () => running.ended,
    stop: () => running.stop(),
  }
}
