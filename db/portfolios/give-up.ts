import type pg from 'pg'
import { forgetPortfolio, markAccountDirty } from '../pnl/books.ts'
import { transact } from '../transact.ts'

const BATCH = 5_000

/**
 * Deletes a batch of the history of a removed exchange account, newest first; false when none is left. A sync
 * that still runs has lost its credentials, and what it adds is deleted with the rest.
 */
export async function removeHistory(
  pool: pg.Pool,
  { portfolioId }: { portfolioId: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with gone as (
       delete from exchange_transactions where (connection_id, kind, key) in (
         select connection_id, kind, key from exchange_transactions where connection_id = $1
         order by at desc, kind desc, key desc limit $2)
       and exists (select from portfolios where id = $1 and account_id is null)
       returning connection_id, kind, key
     ), legs as (
       delete from exchange_legs leg using gone
       where leg.connection_id = gone.connection_id and leg.kind = gone.kind and leg.key = gone.key
     ) select from gone`,
    [portfolioId, BATCH],
  )
  return (rowCount ?? 0) > 0
}

/** Deletes the remaining rows of a removed portfolio and marks the figures of its account dirty. */
export async function removePortfolio(
  pool: pg.Pool,
  { portfolioId, accountId }: { portfolioId: string; accountId: string },
): Promise<void> {
  await transact(pool, async ({ db }) => {
    const row = await db
      .selectFrom('portfolios')
      .select('id')
      .where('id', '=', portfolioId)
      .where('account_id', 'is', null)
      .executeTakeFirst()
    if (row) await forgetPortfolio(db, portfolioId)
    await markAccountDirty(db, accountId)
  })
}
