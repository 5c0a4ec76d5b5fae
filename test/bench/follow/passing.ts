import type pg from 'pg'
import { callsOf } from './costs.ts'
import type { World } from './world.ts'

/** Of one block. */
export interface Quiet {
  calls: number
  /** transactions that write */
  writes: number
  cpuMs: number
  /** tables that have grown, without that of blocks */
  grown: string[]
  /** calls of a block that touches 20 wallets */
  touchedCalls: number
}

/** A time in which nothing happens to many wallets, on a clock that does not wait; then busy blocks. */
export async function measureQuiet(
  world: World,
  input: { wallets: number; quietBlocks: number; busyBlocks: number },
): Promise<Quiet> {
  const { wallets, quietBlocks, busyBlocks } = input
  const follower = await world.follower({ name: 'quiet', wallets, cursor: world.empty - quietBlocks })
  const before = await tableSizes(follower.database)
  const firstXid = await nextXid(follower.database)
  const quiet = await follower.run({ task: 'pass', to: world.empty })
  const writes = (await nextXid(follower.database)) - firstXid
  const after = await tableSizes(follower.database)
  const touched = await follower.run({ task: 'pass', to: world.empty + busyBlocks })
  await follower.end()
  return {
    calls: callsOf(quiet.calls) / quietBlocks,
    writes: writes / quietBlocks,
    cpuMs: quiet.cpuMs / quietBlocks,
    grown: [...after].filter(([name, bytes]) => bytes > (before.get(name) ?? 0)).map(([name]) => name),
    touchedCalls: callsOf(touched.calls) / busyBlocks,
  }
}

async function tableSizes(database: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await database.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace = any (array['public', 'past']::regnamespace[]) and relname <> 'blocks'`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

/** Numbers of transactions are given to those that write. */
async function nextXid(database: pg.Pool): Promise<number> {
  const { rows } = await database.query<{ xid: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as xid',
  )
  return Number(rows[0]!.xid)
}
