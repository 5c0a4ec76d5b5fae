import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/**
 * Why wallets and exchange accounts of an account are not read, by portfolio: the last sync failed and nothing was read
 * since, or the key of an exchange account was refused.
 */
export async function readConnectionProblems(
  db: ReadonlyDb,
  { accountId }: { accountId: string },
): Promise<Map<string, string>> {
  const rows = await readSql(
    db,
    sql<{ id: string; reason: string }>`
      select id, reason from (
        select id, case
          when refused_version = version then refusal
          when failed_at > coalesce(synced_at, '-infinity') then failure end as reason
        from exchange_connections where account_id = ${accountId}
        union all
        select owned.id, sync.failure
        from portfolios as owned
        join wallets as wallet on wallet.address = owned.address
        join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = owned.network_id
        -- A follower reads a wallet whose sync failed.
        join wallet_coverage as coverage
          on coverage.wallet_id = sync.wallet_id and coverage.network_id = sync.network_id
        where owned.account_id = ${accountId} and sync.failed_at > coalesce(coverage.synced_at, '-infinity')
      ) as connection where reason is not null`,
  )
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}
