import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
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

interface TemporaryOptions {
  /** Server settings that go before those of a database for tests. */
  settings?: Record<string, string>
  /** Keep the data in RAM if the machine has room: creating a database then takes a tenth of the time. */
  inMemory?: boolean
}

/** A database server of its own in a temporary folder, on a free port. Both are gone after `stop`. */
export async function startTemporaryPostgres({
  settings = {},
  inMemory = false,
}: TemporaryOptions = {}): Promise<TemporaryPostgres> {
  const folder = await mkdtemp(join(inMemory ? await memoryFolder() : tmpdir(), 'sluice-postgres-'))
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

const RAM_DISK = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

/** A folder in RAM, or the usual one where that has too little room, as in a container. */
async function memoryFolder(): Promise<string> {
  const room = await statfs(RAM_DISK).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return Math.min(room, freemem()) >= ROOM_BYTES ? RAM_DISK : tmpdir()
}
