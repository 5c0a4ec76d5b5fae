import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, ROOT } from '../../cli/folders.ts'
import { postgresBinaries } from '../../cli/postgres/postgres-binaries.ts'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { ROLE_PASSWORDS } from './database.ts'
import { query } from './query.ts'

/** The migrated, empty database that each test file copies. */
export const TEMPLATE = 'sluice_template'

export const POSTGRES_SETTINGS = {
  // There is no replica, and a killed process does not leave half-written pages.
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  // Each database lives for seconds, and hundreds of them would be looked at.
  autovacuum: 'off',
  // Tests connect thousands of times, and their passwords need no protection.
  scram_iterations: '1',
  // Three files run at once, each with the pools of an installation, and some tests flood them.
  max_connections: '300',
}

/** All that the contents of the cluster depend on, beside the version of Postgres. */
const SOURCES = ['db', 'cli/postgres', 'test/setup/migrated-cluster.ts', 'test/setup/database.ts']
const UNUSED_MS = 7 * 86_400_000
const MOST_KEPT = 20

/**
 * Returns a folder with the data of a stopped server that holds the template. Each state of the sources has one in
 * the cache. The first run makes it; the others copy it in a tenth of the time.
 */
export async function migratedCluster(): Promise<string> {
  const folder = join(cacheFolder(), 'migrated')
  await mkdir(folder, { recursive: true })
  const kept = join(folder, await digest())
  const now = new Date()
  const isKept = await utimes(kept, now, now).then(
    () => true,
    () => false,
  )
  if (!isKept) {
    const draft = `${kept}.${process.pid}`
    await keepMigrated(draft)
    // Another run may have been faster. Its data are the same.
    await rename(draft, kept).catch(() => rm(draft, { recursive: true }))
    await removeUnused(folder)
  }
  return kept
}

async function keepMigrated(folder: string): Promise<void> {
  const server = await startTemporaryPostgres({ inMemory: true, settings: POSTGRES_SETTINGS })
  try {
    const admin = ownerUrl({ ...server, database: 'postgres' })
    // Stored again with the few iterations of the settings.
    await query(admin, `alter role sluice password '${server.ownerPassword}'`)
    await query(admin, `create database ${TEMPLATE}`)
    const databaseUrl = ownerUrl({ ...server, database: TEMPLATE })
    await migrate({ databaseUrl, passwords: ROLE_PASSWORDS, log: () => {} })
  } catch (error) {
    await server.stop()
    throw error
  }
  await server.stop(folder)
}

async function digest(): Promise<string> {
  const hash = createHash('sha256').update((await postgresBinaries()).version)
  for (const source of SOURCES) {
    const path = join(ROOT, source)
    const isFolder = (await stat(path)).isDirectory()
    const names = isFolder ? (await readdir(path, { recursive: true })).toSorted() : ['']
    for (const name of names.filter((one) => !isFolder || /\.(sql|ts)$/.test(one)))
      hash.update(`${source}/${name}\0`).update(await readFile(join(path, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Those that were not used for a week, or only before many others: each changed line of SQL makes one. */
async function removeUnused(folder: string): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name)
      // Another run may have just removed it.
      const about = await stat(path).catch(() => null)
      return about ? [{ path, usedMs: about.mtimeMs }] : []
    }),
  )
  const byUse = found.flat().toSorted((a, b) => b.usedMs - a.usedMs)
  for (const [n, { path, usedMs }] of byUse.entries())
    if (n >= MOST_KEPT || Date.now() - usedMs > UNUSED_MS) await rm(path, { recursive: true, force: true })
}
