import type pg from 'pg'
import { readOverview } from '../../web/console/read-overview.ts'
import type { Temporal } from '../../web/console/temporal.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { readOpenPayments } from '../../db/console/read-money.ts'
import { createSchemaCheck } from '../../db/check-schema.ts'
import { readManifest } from '../../export/manifest.ts'
import type { Target } from '../../export/target.ts'
import { isRunning } from '../supervisor/process-mark.ts'
import type { Run } from '../supervisor/run-file.ts'

const MOST_PAYMENTS = 1_000

export type Status = Awaited<ReturnType<typeof readStatus>>

interface StatusDeps {
  db: Db
  pool: pg.Pool
  /** null: no server is set. */
  temporal: Temporal | null
  /** null: nothing was started on this machine; the installation may run elsewhere. */
  run: Run | null
  exports: Target
  now: () => Date
}

/** Reads what the overview of the console shows, with the same statements, and the state of this machine. */
export async function readStatus({ db, pool, temporal, run, exports, now }: StatusDeps) {
  const reader = db as unknown as ReadonlyDb
  const [overview, openPayments, manifest, database] = await Promise.all([
    readOverview({ db: reader, temporal, now }),
    readOpenPayments(reader, { limit: MOST_PAYMENTS }),
    readManifest(exports),
    readDatabase(pool),
  ])
  const { at, figures, sources, workflows, queue, refusals } = overview
  return {
    at,
    services: run && servicesOf(run),
    database,
    figures,
    sources,
    /** null: Temporal does not answer, or no server is set. */
    workflows: workflows ?? null,
    queue,
    refusals,
    openPayments,
    /** null: there is no export. */
    exportedAt: manifest && new Date(manifest.exportedAt),
  }
}

function servicesOf({ children, ports }: Run) {
  return Object.entries(children).map(([name, mark]) => ({
    name,
    pid: mark.pid,
    running: isRunning(mark),
    port: ports[name.replace(/^anvil-/, '')] ?? null,
  }))
}

async function readDatabase(pool: pg.Pool) {
  const { rows } = await pool.query<{ version: string; migration: string; megabytes: number }>(
    `select current_setting('server_version') as version, max(name) as migration,
       round(pg_database_size(current_database()) / 1e6)::float8 as megabytes from kysely_migration`,
  )
  const problem = await createSchemaCheck(pool)().then(
    () => null,
    (error: Error) => error.message,
  )
  return { ...rows[0]!, problem }
}
