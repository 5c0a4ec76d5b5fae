import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../connect.ts'
import { transact } from '../transact.ts'
import { markHoldersDirty, type PriceChange } from './mark-dirty.ts'

/**
 * Notes that coins have other prices, in the transaction of the change. Books that are computed already are marked at
 * once. One that is being computed may have read the prices before, and shows nothing of what it holds until it is
 * committed: settleChanges looks for those.
 */
export async function noteChanges(input: { db: Db; changes: readonly PriceChange[] }): Promise<void> {
  const { db, changes } = input
  await markHoldersDirty(input)
  // Nothing is computed further than to a midnight that has been, by clocks that may be ahead.
  await sql`
    insert into price_changes (coin_id, from_at)
    select coin_id, from_at from unnest(
      ${changes.map(({ coinId }) => coinId)}::text[], ${changes.map(({ from }) => from)}::timestamptz[]
    ) as change (coin_id, from_at) where from_at <= date_trunc('day', now() + interval '1 hour', 'UTC')`.execute(
    db,
  )
}

/**
 * Marks the books that were computed while prices changed, by transactions that may not have seen it. A change is
 * settled once all transactions have ended that began before it was noted here, which is after its own commit; others
 * wait for the next run.
 */
export async function settleChanges(pool: pg.Pool): Promise<void> {
  // A restored dump brings numbers of transactions that are yet to come.
  await pool.query(
    `update price_changes set noted_by = pg_current_xact_id()
     where noted_by is null or noted_by > pg_current_xact_id()`,
  )
  await transact(pool, async ({ db }) => {
    const { rows } = await sql<{ coin_id: string; from_at: Date; noted_by: string }>`
      with settled as (
        delete from price_changes where noted_by < pg_snapshot_xmin(pg_current_snapshot()) returning *
      ) select coin_id, min(from_at) as from_at, max(noted_by) as noted_by from settled group by coin_id`.execute(
      db,
    )
    const changes = rows.map((row) => ({
      coinId: row.coin_id,
      from: row.from_at,
      computedBefore: row.noted_by,
    }))
    await markHoldersDirty({ db, changes })
  })
}
