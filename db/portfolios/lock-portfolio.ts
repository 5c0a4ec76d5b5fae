import type { Db } from '../schema.ts'

/**
 * Locks a portfolio while its transactions change. Lock it before its P&L state, in the same order as a
 * recompute. Returns its account; null: the portfolio was removed. Needs an open transaction.
 */
export async function lockPortfolio(
  db: Db,
  { portfolioId }: { portfolioId: string },
): Promise<{ accountId: string } | null> {
  const row = await db
    .selectFrom('portfolios')
    .select('account_id')
    .where('id', '=', portfolioId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.account_id ? { accountId: row.account_id } : null
}
