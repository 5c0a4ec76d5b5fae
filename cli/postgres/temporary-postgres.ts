import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../supervisor/free-port.ts'
import { startService } from '../supervisor/service.ts'
import { type Cluster, prepareCluster } from './prepare-cluster.ts'
import { postgresService } from './postgres-service.ts'

const run = promisify(execFile)

export interface TemporaryPostgres {
  port: number
  ownerPassword: string
  cluster: Cluster
  /** Stops the server, copies its data to a folder if one is given, and removes them. */
  stop: (keepIn?: string) => Promise<void>
}

// Without fsync the data may not survive a power cut, but commits survive a kill.
const SETTINGS = { fsync: 'off', shared_buffers: '128MB' }

interface TemporaryOptions {
  /** Server settings that override those of a test database. */
  settings?: Record<string, string>
  /** Keeps the data in RAM if there is room. Creating a database then takes a tenth of the time. */
  inMemory?: boolean
  /** Folder that `stop` has copied data to; absent: a new cluster. */
  from?: string
}

/** Starts a database server in a temporary folder on a free port. `stop` removes the folder. */
export async function startTemporaryPostgres({
  settings = {},
  inMemory = false,
  from,
}: TemporaryOptions = {}): Promise<TemporaryPostgres> {
  const folder = await mkdtemp(join(inMemory ? await memoryFolder() : tmpdir(), 'sluice-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    // For root, Postgres runs as another account, which must be able to enter the folder.
    await chmod(folder, 0o711)
    const ownerPassword = 'owner'
    const data = join(folder, 'data')
    if (from !== undefined) await copyData(from, data)
    const cluster = await prepareCluster({ folder: data, ownerPassword, log: () => {} })
    const port = await freePort()
    const spec = postgresService({ cluster, port, ownerPassword, settings: { ...SETTINGS, ...settings } })
    const running = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
    const stop = async (keepIn?: string) => {
      await running.stop()
      if (keepIn !== undefined) await copyData(cluster.dataFolder, keepIn)
      await remove()
    }
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

/** Keeps the owner, the account of Postgres, which fs.cp does not. */
async function copyData(from: string, to: string): Promise<void> {
  await run('cp', ['-pR', from, to])
}

const RAM_DISK = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

/** Returns a folder in RAM, or the usual temporary folder if there is too little room, as in a container. */
async function memoryFolder(): Promise<string> {
  const room = await statfs(RAM_DISK).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return Math.min(room, freemem()) >= ROOM_BYTES ? RAM_DISK : tmpdir()
}
