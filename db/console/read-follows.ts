import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/** The head follower of a network. */
export interface FollowState {
  networkId: string
  mode: 'off' | 'blocks' | 'ranges'
  /** null: off */
  method: string | null
  /** time between two reads of a range; null: each block is read */
  tickMs: number | null
  /** why no better method is used; null: there is none */
  methodReason: string | null
  /** last committed block; null: none yet */
  cursorBlock: number | null
  headBlock: number | null
  /** up to here blocks were compared with the chain once more */
  confirmedBlock: number | null
  /** when the cursor last moved, or was found to be the head; null: never */
  advancedAt: Date | null
  /** why it is off or does not advance; null: it advances */
  reason: string | null
  /** host of the node that is read; null: none, or there is one source */
  node: string | null
  /** nodes are on different branches, and another one is taken only from then on; null: they are not */
  heldUntil: Date | null
  rewinds24h: number
  /** quarantined blocks in which two nodes had different logs */
  disagreements: number
}

/** Reads the follower of each network that has one, in display order. */
export async function readFollows(db: ReadonlyDb): Promise<FollowState[]> {
  return await readSql(
    db,
    sql<FollowState>`
      select network_id as "networkId", mode, method, tick_ms as "tickMs", method_reason as "methodReason",
        cursor_block::float8 as "cursorBlock",
        head_block::float8 as "headBlock", confirmed_block::float8 as "confirmedBlock",
        advanced_at as "advancedAt", reason, node, held_until as "heldUntil", rewinds_24h as "rewinds24h",
        disagreements
      from operations.follows`,
  )
}
