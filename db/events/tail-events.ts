import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

export interface TailedEvent {
  seq: string
  accountId: string
  type: string
  at: Date
  /** The wallet, portfolio, coin or market that it tells of; null: none. */
  subject: string | null
  body: string
}

/** Events after a number, or (null) the newest ones; of one account, or (null) of all. In their order. */
export async function tailEvents(
  db: Db | ReadonlyDb,
  query: { accountId: string | null; after: string | null; limit: number },
): Promise<TailedEvent[]> {
  const { accountId, after, limit } = query
  const order = after === null ? sql`desc` : sql`asc`
  return readSql(
    db,
    sql<TailedEvent>`
      select event.seq, event.account_id as "accountId", event.type, event.created_at as at, event.body,
        coalesce(data ->> 'address', data ->> 'portfolioId', data ->> 'coinId', data ->> 'slug') as subject
      from (
        select * from account_events
        where seq > ${after ?? '0'} and (${accountId}::uuid is null or account_id = ${accountId})
        order by seq ${order} limit ${limit}
      ) as event cross join lateral (select event.body::jsonb -> 'data' as data) as told
      order by event.seq`,
  )
}
