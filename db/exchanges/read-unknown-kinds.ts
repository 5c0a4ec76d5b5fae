import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/** Kinds of ledger entries without a meaning here, by the exchange's name, with the number of entries. */
export type UnknownKinds = readonly { name: string; entries: number }[]

/** The unknown kinds of each connection of an account, the most frequent first. */
export async function readUnknownKinds(
  db: ReadonlyDb,
  { accountId }: { accountId: string },
): Promise<Map<string, UnknownKinds>> {
  const rows = await readSql(
    db,
    sql<{ id: string; kinds: UnknownKinds }>`
      select id, json_agg(json_build_object('name', unknown_kind, 'entries', entries) order by entries desc, unknown_kind) as kinds
      from (
        select c.id, t.unknown_kind, count(*)::int as entries
        from exchange_connections c join exchange_transactions t on t.connection_id = c.id
        where c.account_id = ${accountId} and t.unknown_kind is not null
        group by 1, 2
      ) as counted group by id`,
  )
  return new Map(rows.map(({ id, kinds }) => [id, kinds]))
}
