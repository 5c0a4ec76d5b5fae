import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

interface FollowSeed {
  networkId: string
  mode?: string
  /** Last committed block. */
  cursor?: number
  head?: number
  /** Seconds since the follower last moved or saw the head. */
  age?: number
  /** Seconds since the block of the cursor. */
  cursorAge?: number
  /** Absent: it reads each block. */
  tickSeconds?: number
}

/** The state of a network's follower, in place of an earlier one. */
export async function insertFollow(db: Db, seed: FollowSeed): Promise<void> {
  const { networkId, mode = 'blocks', cursor = 100, head = cursor, age = 0, cursorAge = age } = seed
  const tickMs = seed.tickSeconds === undefined ? null : seed.tickSeconds * 1_000
  await sql`insert into network_follows
      (network_id, mode, method, tick_ms, cursor_block, cursor_hash, cursor_at, head_block, advanced_at)
    values (${networkId}, ${mode}, 'receipts', ${tickMs}, ${cursor}, '0x64', now() - ${cursorAge} * interval '1 second', ${head},
      now() - ${age} * interval '1 second')
    on conflict (network_id) do update set mode = excluded.mode, tick_ms = excluded.tick_ms, cursor_block = excluded.cursor_block,
      cursor_at = excluded.cursor_at, head_block = excluded.head_block, advanced_at = excluded.advanced_at`.execute(
    db,
  )
}

interface CoverSeed {
  walletId: string
  networkId: string
  coveredFrom?: number
  cursor?: number
  normalised?: number
}

/** Has the follower cover a wallet. By default its history is complete up to there. */
export async function coverWallet(db: Db, seed: CoverSeed): Promise<void> {
  const { walletId, networkId, coveredFrom = 90, cursor = coveredFrom, normalised = cursor } = seed
  await sql`update wallet_syncs set covered_from = ${coveredFrom}, cursor_block = ${cursor}, head_block = ${cursor},
      normalised_block = ${normalised}
    where wallet_id = ${walletId} and network_id = ${networkId}`.execute(db)
}

/** Marks a wallet as touched `age` seconds ago. */
export async function touchWallet(
  db: Db,
  {
    walletId,
    networkId,
    age,
    block = 100,
  }: { walletId: string; networkId: string; age: number; block?: number },
): Promise<void> {
  await sql`insert into touched_wallets (network_id, wallet_id, from_block, through_block, reason, marked_at)
    values (${networkId}, ${walletId}, ${block}, ${block}, 'block', now() - ${age} * interval '1 second')
    on conflict (network_id, wallet_id) do update set marked_at = excluded.marked_at`.execute(db)
}
