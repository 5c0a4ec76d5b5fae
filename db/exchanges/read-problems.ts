import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/**
 * Why exchange accounts of an account are not read, by connection: their key was refused, or the last sync failed and
 * none succeeded since.
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
      ) as connection where reason is not null`,
  )
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}
