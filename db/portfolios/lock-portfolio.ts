import type { Db } from '../connect.ts'

/**
 * Holds a portfolio while its transactions change: before the state of its P&L, the order in which a recompute takes
 * both. Answers its account; null: it is gone, or given up. Needs an open transaction.
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
