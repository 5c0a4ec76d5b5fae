import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../supervisor/free-port.ts'
import { startService } from '../supervisor/service.ts'
import { type Cluster, prepareCluster } from './prepare-cluster.ts'
import { postgresService } from './postgres-service.ts'

export interface TemporaryPostgres {
  port: number
  ownerPassword: string
  cluster: Cluster
  stop: () => Promise<void>
}

// It need not outlast a power cut; commits are kept over a kill all the same.
const SETTINGS = { fsync: 'off', shared_buffers: '128MB' }

/**
 * A database server of its own in a temporary folder, on a free port; both go when it is stopped. `settings` of the
 * server go before those of a database for tests.
 */
export async function startTemporaryPostgres(
  settings: Record<string, string> = {},
): Promise<TemporaryPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    // As root, Postgres runs under another account, which must be able to pass.
    await chmod(folder, 0o711)
    const ownerPassword = 'owner'
    const cluster = await prepareCluster({ folder: join(folder, 'data'), ownerPassword, log: () => {} })
    const port = await freePort()
    const spec = postgresService({ cluster, port, ownerPassword, settings: { ...SETTINGS, ...settings } })
    const running = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
    const stop = () => running.stop().then(remove)
    await running.ready.catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { port, ownerPassword, cluster, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
