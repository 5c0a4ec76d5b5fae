import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../../cli/supervisor/http-answers.ts'
import { openDb } from '../../../db/connect.ts'
import type { BenchPostgres } from '../shared/bench-postgres.ts'
import { type Cleanup, createCleanup } from '../shared/cleanup.ts'
import { peakRssMb } from '../shared/machine.ts'
import { npmPeer } from '../shared/npm-peer.ts'
import { startPart } from '../shared/start-part.ts'
import { SENDER, TOKEN } from './chain.ts'

const DATABASE = 'ponder'
const SCHEMA = 'peer'
const DEADLINE_MS = 300_000

export interface PonderRun {
  /** from the start of its server until it reports a complete history */
  ms: number
  transfers: number
  peakRssMb: number
}

/**
 * Ponder, indexing the sender into an empty database. `transfers`: the token's transfers from it, and nothing else.
 * `history`: what a sync of the wallet reads, which is transactions with fees, native coins and all transfers. Throws
 * if it is unavailable.
 */
export async function ponderPeer(input: {
  project: 'transfers' | 'history'
  postgres: BenchPostgres
  owner: pg.Pool
  rpcUrl: string
  cleanup: Cleanup
}) {
  const { project, postgres, owner, rpcUrl } = input
  const folder = await npmPeer('ponder')
  const root = join(folder, project)
  const databaseUrl = ownerUrl({ ...postgres, database: DATABASE })
  const program = join(folder, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js')

  return async function index(): Promise<PonderRun> {
    // Ponder keeps raw data outside of its schema, so a second run in the same database would not read the
    // node.
    await owner.query(`drop database if exists ${DATABASE} with (force)`)
    await owner.query(`create database ${DATABASE}`)
    await owner.query('checkpoint')
    const cleanup = createCleanup(input.cleanup)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    try {
      const { pid, ended } = await startPart(
        {
          name: 'ponder',
          command: process.execPath,
          args: [program, 'start', '--root', root, '--schema', SCHEMA, '--port', String(port)],
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: folder,
            PONDER_TELEMETRY_DISABLED: '1',
            RPC_URL: rpcUrl,
            DATABASE_URL: databaseUrl,
            TOKEN,
            SENDER,
          },
          health: { probe: () => httpAnswers(`${url}/health`) },
          startDeadlineMs: 60_000,
          stopSignal: 'SIGTERM',
          stopDeadlineMs: 3_000,
        },
        cleanup,
      )
      const startMs = performance.now()
      const died = ended.then(() => true)
      while (!(await isReady(url))) {
        if (performance.now() - startMs > DEADLINE_MS) throw new Error('Ponder is not ready in five minutes')
        if (await Promise.race([died, sleep(20, false)])) throw new Error('Ponder has ended')
      }
      const ms = performance.now() - startMs
      return { ms, transfers: await countTransfers(databaseUrl), peakRssMb: await peakRssMb(pid) }
    } finally {
      await cleanup.run()
    }
  }
}

const isReady = (url: string) =>
  fetch(`${url}/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )

async function countTransfers(url: string): Promise<number> {
  const { pool, close } = openDb({ url, maxConnections: 1, applicationName: 'bench' })
  try {
    const { rows } = await pool.query<{ rows: number }>(
      `select count(*)::integer as rows from ${SCHEMA}.transfers where from_address = $1`,
      [SENDER],
    )
    return rows[0]!.rows
  } finally {
    await close()
  }
}
