import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../../cli/postgres/temporary-postgres.ts'
import { migrate, type Role } from '../../../db/migrate.ts'
import type { Cleanup } from './cleanup.ts'

const DATABASE = 'postgres'
// Commits are durable, as in production. Without sync, charges and batches would be too fast.
const SETTINGS = {
  fsync: 'on',
  shared_buffers: '1GB',
  max_connections: '200',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
}

export interface BenchPostgres {
  port: number
  ownerPassword: string
  ownerUrl: string
  roleUrl: (role: Role) => string
}

/** A migrated database on a separate server, with the durability of production. */
export async function startBenchPostgres(cleanup: Cleanup): Promise<BenchPostgres> {
  const server = await startTemporaryPostgres({ settings: SETTINGS })
  cleanup.add(server.stop)
  const { port, ownerPassword } = server
  const databaseUrl = ownerUrl({ port, ownerPassword, database: DATABASE })
  await migrate({
    databaseUrl,
    passwords: { ingest: 'ingest', api: 'api', meter: 'meter', gateway: 'gateway' },
    log: () => {},
  })
  const roleUrl = (role: Role) => `postgres://${role}:${role}@127.0.0.1:${port}/${DATABASE}`
  return { port, ownerPassword, ownerUrl: databaseUrl, roleUrl }
}
