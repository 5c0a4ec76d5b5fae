import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/**
 * Those of the portfolios whose figures lack stored data: days, coins or own transfers of the portfolio or of
 * its account, or DeFi positions that were never read. A sync computes its book before it is complete, so
 * a book that is dirty after that lacks only newer prices: they come every hour, and its schedule follows them.
 */
export async function readUncomputed(db: ReadonlyDb, portfolioIds: readonly string[]): Promise<Set<string>> {
  const rows = await readSql(
    db,
    sql<{ id: string }>`
      select p.id from portfolios as p
      where p.id = any(${[...portfolioIds]}::uuid[]) and (
        exists (
          select from portfolio_books as own join pl_states as state on state.book_id = own.book_id
          where own.portfolio_id = p.id and state.computed_to is null)
        or exists (
          select from portfolio_books as own join scopes on scopes.book_id = own.book_id
          join folds on folds.scope_id = scopes.id
          where own.portfolio_id = p.id and (folds.dirty_from is not null or folds.folded_at is null))
        or exists (
          select from scopes left join folds on folds.scope_id = scopes.id
          where scopes.account_id = p.account_id
            and (scopes.dirty_from is not null or folds.dirty_from is not null))
        or p.kind = 'wallet' and exists (select from defi_deployments where network_id = p.network_id)
          and not exists (
            select from defi_reads as read join wallets as wallet on wallet.id = read.wallet_id
            where wallet.address = p.address and read.network_id = p.network_id)
      )`,
  )
  return new Set(rows.map(({ id }) => id))
}
