import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../../cli/supervisor/http-answers.ts'
import { openDb } from '../../../db/connect.ts'
import type { BenchPostgres } from '../shared/bench-postgres.ts'
import { type Cleanup, createCleanup } from '../shared/cleanup.ts'
import { npmPeer } from '../shared/npm-peer.ts'
import { startPart } from '../shared/start-part.ts'
import { walletAddress } from './chain.ts'
import { processCpuMs } from './cpu.ts'

/** Ponder at the head of the chain, with the addresses of a follower. */
export interface PonderFollower {
  /** Shows it the blocks up to a number. Returns the CPU time that they took, or that they took until now. */
  advance: (to: number, deadlineMs: number) => Promise<{ cpuMs: number; finished: boolean }>
  /** Transactions and transfers that it has stored of blocks above a number. */
  stored: (above: number) => Promise<number>
  stop: () => Promise<void>
}

const SCHEMA = 'peer'
const START_MS = 60_000

/** Starts Ponder at a block, and returns when it follows from there. Throws if it is unavailable. */
export async function startPonder(input: {
  postgres: BenchPostgres
  owner: pg.Pool
  postgresCpuMs: () => number
  gate: { url: (client: string) => string; show: (client: string, head: number) => Promise<void> }
  wallets: number
  head: number
  folder: string
  cleanup: Cleanup
}): Promise<PonderFollower> {
  const { postgres, owner, gate, wallets, head, folder } = input
  const name = `ponder_${wallets}`
  const peer = await npmPeer('ponder')
  const walletsFile = join(folder, name)
  await writeFile(walletsFile, Array.from({ length: wallets }, (_, n) => walletAddress(n)).join('\n'))
  await owner.query(`create database ${name}`)
  await gate.show(name, head)
  const cleanup = createCleanup(input.cleanup)
  cleanup.add(() => rm(walletsFile, { force: true }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = join(peer, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js')
  const databaseUrl = ownerUrl({ ...postgres, database: name })
  const root = join(peer, 'follow')
  const { pid, ended } = await startPart(
    {
      name,
      command: process.execPath,
      args: [program, 'start', '--root', root, '--schema', SCHEMA, '--port', String(port)],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: peer,
        PONDER_TELEMETRY_DISABLED: '1',
        RPC_URL: gate.url(name),
        DATABASE_URL: databaseUrl,
        START_BLOCK: String(head),
        WALLETS_FILE: walletsFile,
      },
      health: { probe: () => httpAnswers(`${url}/health`) },
      startDeadlineMs: START_MS,
      stopSignal: 'SIGTERM',
      stopDeadlineMs: 3_000,
    },
    cleanup,
  )
  const died = ended.then(() => true)
  const { pool, close } = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'bench' })
  cleanup.add(close)

  async function isAt(block: number, deadlineMs: number): Promise<boolean> {
    const startMs = performance.now()
    while ((await blockOf(url)) < block) {
      if (performance.now() - startMs > deadlineMs) return false
      if (await Promise.race([died, sleep(50, false)])) throw new Error('Ponder has ended')
    }
    return true
  }

  if (!(await isAt(head, START_MS))) throw new Error(`Ponder with ${wallets} addresses does not start`)
  const cpuMs = () => processCpuMs(pid) + input.postgresCpuMs()
  return {
    async advance(to, deadlineMs) {
      const before = cpuMs()
      await gate.show(name, to)
      const finished = await isAt(to, deadlineMs)
      return { cpuMs: cpuMs() - before, finished }
    },
    async stored(above) {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::integer as count from ${SCHEMA}.transfers where block_number > $1`,
        [above],
      )
      return rows[0]!.count
    },
    stop: cleanup.run,
  }
}

/** The block up to which it has indexed; -1: none yet. */
async function blockOf(url: string): Promise<number> {
  try {
    const response = await fetch(`${url}/status`, { signal: AbortSignal.timeout(1_000) })
    const status = (await response.json()) as Record<
      string,
      { ready: boolean; block: { number: number } | null }
    >
    const { ready = false, block = null } = Object.values(status)[0] ?? {}
    return ready ? (block?.number ?? -1) : -1
  } catch {
    return -1
  }
}
