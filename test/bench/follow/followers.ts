import type pg from 'pg'
import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { openDb } from '../../../db/connect.ts'
import type { BenchPostgres } from '../shared/bench-postgres.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { startChild } from './child.ts'
import { processCpuMs } from './cpu.ts'
import type { FollowerAnswer, FollowerTask } from './follower-process.ts'

export interface Follower {
  /** Milliseconds until the set had all addresses. */
  startMs: number
  /** The task, with the CPU time of the process and of Postgres. */
  run: (task: FollowerTask) => Promise<FollowerAnswer & { cpuMs: number; postgresMs: number }>
  end: () => Promise<void>
  /** the owner's connection to its database */
  database: pg.Pool
}

/**
 * Makes a database with so many tracked wallets, numbered from `firstWallet`, which a follower covers up to a
 * block, and starts that follower on it.
 */
export async function startFollower(input: {
  postgres: BenchPostgres
  owner: pg.Pool
  postgresCpuMs: () => number
  nodeUrl: string
  name: string
  wallets: number
  firstWallet?: number
  cursor: { number: number; hash: string }
  cleanup: Cleanup
}): Promise<Follower> {
  const { postgres, owner, name, wallets, firstWallet = 0, cursor, cleanup } = input
  await owner.query(`create database ${name} template postgres`)
  const { pool, close } = openDb({
    url: ownerUrl({ ...postgres, database: name }),
    maxConnections: 1,
    applicationName: 'bench',
  })
  cleanup.add(close)
  // The triggers of first syncs are not what is measured.
  await pool.query(`set session_replication_role = replica;
    insert into wallets (address)
      select '0x' || left(encode(sha256(convert_to('wallet ' || n, 'utf8')), 'hex'), 40)
      from generate_series(${firstWallet}, ${firstWallet + wallets - 1}) as n;
    insert into wallet_syncs (wallet_id, network_id, cursor_block, head_block, synced_at, normalised_block, covered_from)
      select id, 'ethereum', ${cursor.number}, ${cursor.number}, now(), ${cursor.number}, ${cursor.number} from wallets;
    set session_replication_role = origin`)
  await pool.query(
    `insert into network_follows (network_id, mode, method, cursor_block, cursor_hash, cursor_at, confirmed_block)
     values ('ethereum', 'blocks', 'receipts', $1, $2, now(), $1)`,
    [cursor.number, cursor.hash],
  )
  await pool.query('analyze wallets, wallet_syncs')
  const url = `postgres://ingest:ingest@127.0.0.1:${postgres.port}/${name}`
  const { child, first } = await startChild<{ ms: number; addresses: number }>(
    { program: 'follower-process.ts', args: [url, input.nodeUrl] },
    cleanup,
  )
  if (first.addresses !== wallets)
    throw new Error(`the follower of ${name} has ${first.addresses} of ${wallets} addresses`)
  return {
    startMs: first.ms,
    database: pool,
    end: child.end,
    async run(task) {
      const cpu = () => ({ ours: processCpuMs(child.pid), postgres: input.postgresCpuMs() })
      const before = cpu()
      const answer = await child.ask<FollowerAnswer>(task)
      const after = cpu()
      const postgresMs = after.postgres - before.postgres
      return { ...answer, cpuMs: after.ours - before.ours + postgresMs, postgresMs }
    },
  }
}
