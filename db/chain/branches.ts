import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../schema.ts'

// Which branch of a network is followed, how often the stored one was replaced, and who may write meanwhile.

/**
 * Locks a network until the transaction ends: ranges can be written and derived concurrently, a rewind and a move of
 * old rows run alone.
 */
export async function lockNetwork(
  client: pg.ClientBase,
  input: { networkId: string; mode: 'write' | 'rewind' },
): Promise<void> {
  const suffix = input.mode === 'write' ? '_shared' : ''
  await client.query(`select pg_advisory_xact_lock${suffix}(hashtext($1))`, [`chain ${input.networkId}`])
}

export interface FollowedBranch {
  /** the node that the last batch came from; null: none yet */
  node: string | null
  /** no other branch is taken before; null: any may be */
  heldUntil: Date | null
}

export async function readBranch(pool: pg.Pool, networkId: string): Promise<FollowedBranch> {
  const { rows } = await pool.query<{ node: string | null; held_until: Date | null }>(
    'select node, held_until from network_follows where network_id = $1',
    [networkId],
  )
  return { node: rows[0]?.node ?? null, heldUntil: rows[0]?.held_until ?? null }
}

/** Has the follower stay on the branch of a node. */
export async function holdBranch(
  pool: pg.Pool,
  { networkId, node, until }: { networkId: string; node: string; until: Date },
): Promise<void> {
  await pool.query('update network_follows set node = $2, held_until = $3 where network_id = $1', [
    networkId,
    node,
    until,
  ])
}

/** Records a rewind in its transaction. To call before the blocks are deleted. */
export async function noteRewind(
  client: pg.ClientBase,
  { networkId, block }: { networkId: string; block: number },
): Promise<void> {
  await client.query(
    `insert into network_rewinds (network_id, block_number, blocks)
     select $1, $2, count(*) from blocks where network_id = $1 and number > $2`,
    [networkId, block],
  )
  await client.query(
    "delete from network_rewinds where network_id = $1 and at < now() - interval '30 days'",
    [networkId],
  )
}

/** Rewinds to a block in the last milliseconds, and since the follower was last made to stay on a branch. */
export async function countRewinds(
  pool: pg.Pool,
  { networkId, block, withinMs }: { networkId: string; block: number; withinMs: number },
): Promise<number> {
  const { rows } = await pool.query<{ rewinds: number }>(
    `select count(*)::int as rewinds from network_rewinds where network_id = $1 and block_number = $2
       and at > clock_timestamp() - $3 * interval '1 millisecond'
       and at > coalesce((select held_until from network_follows where network_id = $1), '-infinity')
         - $3 * interval '1 millisecond'`,
    [networkId, block, withinMs],
  )
  return rows[0]!.rewinds
}

/** Whether a followed network stays on one of several branches, and how often it was rewound in 24 hours. */
export async function readBranchFigures(
  db: Db,
): Promise<{ network: string; isHeld: boolean; rewinds: number }[]> {
  const { rows } = await sql<{ network: string; isHeld: boolean; rewinds: number }>`
    select network_id as network, coalesce(held_until > now(), false) as "isHeld",
      (select count(*)::int from network_rewinds as rewind
        where rewind.network_id = follow.network_id and at > now() - interval '24 hours') as rewinds
    from network_follows as follow where mode <> 'off'`.execute(db)
  return rows
}
