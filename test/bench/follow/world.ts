import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { toHex } from '../../../sandbox/chain/rpc.ts'
import { openDb } from '../../../db/connect.ts'
import { type BenchPostgres, startBenchPostgres } from '../shared/bench-postgres.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { type BenchChain, startChain } from './chain.ts'
import { postgresCpu } from './cpu.ts'
import { type Follower, startFollower } from './followers.ts'
import { type Gate, startGate } from './gate.ts'

/** One chain and one Postgres, with a database for each size of the address set. */
export interface World {
  folder: string
  postgres: BenchPostgres
  /** connected to a database that nobody copies */
  owner: pg.Pool
  postgresCpuMs: () => number
  chain: BenchChain
  gate: Gate
  /** numbers of the last empty, busy and dropping block */
  empty: number
  busy: number
  drops: number
  cleanup: Cleanup
  follower: (input: {
    name: string
    wallets: number
    firstWallet?: number
    cursor?: number
    nodeUrl?: string
  }) => Promise<Follower>
}

/** More than any of its clients sees: followers choose their head themselves. */
const EVERYTHING = 1_000_000_000

export async function startWorld(
  blocks: { empty: number; busy: number; drops: number },
  { cleanup, log }: { cleanup: Cleanup; log: (line: string) => void },
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-follow-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  log('starting Postgres and the chain')
  const postgres = await startBenchPostgres(cleanup)
  const { pool: owner, close } = openDb({
    url: ownerUrl({ ...postgres, database: 'template1' }),
    maxConnections: 1,
    applicationName: 'bench',
  })
  cleanup.add(close)
  // Its work would count for whoever is measured at that moment.
  await owner.query('alter system set autovacuum = off')
  await owner.query('select pg_reload_conf()')
  const chain = await startChain(folder, cleanup)
  log(`mining ${blocks.empty} empty and ${blocks.busy} busy blocks`)
  await chain.mineEmpty(blocks.empty)
  const empty = await chain.head()
  await chain.mineBusy(blocks.busy)
  const busy = await chain.head()
  for (let n = 0; n < blocks.drops; n++) await chain.mineDrop()
  const drops = await chain.head()
  const gate = await startGate(chain.rpc.url, cleanup)
  await gate.show('ours', EVERYTHING)
  const postgresCpuMs = await postgresCpu(owner)

  const follower: World['follower'] = async ({ cursor = empty, nodeUrl = gate.url('ours'), ...rest }) => {
    const block = (await chain.rpc.call('eth_getBlockByNumber', toHex(cursor), false)) as { hash: string }
    const at = { number: cursor, hash: block.hash }
    return await startFollower({ ...rest, postgres, owner, postgresCpuMs, nodeUrl, cursor: at, cleanup })
  }
  return { folder, postgres, owner, postgresCpuMs, chain, gate, empty, busy, drops, cleanup, follower }
}
